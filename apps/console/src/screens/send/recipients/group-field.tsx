import { useOwnGroups } from '../../../api/groups.ts'
import { SelectField } from '../../../ui/form/fields.tsx'

/** For which group a fax is sent; only for people in several groups. */
export function GroupField({ group, onChange }: { group: string; onChange: (group: string) => void }) {
  const own = useOwnGroups().filter(({ member }) => member)
  if (own.length < 2) return null
  const choices = own.map(({ id, name }) => ({ value: id, label: name }))
  return (
    <SelectField
      label="Group"
      help="Members of the group can see this fax. Without a group, only you and operators can."
      value={choices.some(({ value }) => value === group) ? group : ''}
      choices={[{ value: '', label: 'No group' }, ...choices]}
      onChange={onChange}
    />
  )
}
