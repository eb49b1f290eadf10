import type { OwnGroup, Retention, RetentionRule } from '@faxdeck/contract'
import { useState } from 'react'
import { Button } from '../../ui/control/button.tsx'
import { SelectField } from '../../ui/form/select-field.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import { Note } from '../../ui/layout/note.tsx'
import { FormDialog } from '../../ui/overlay/form-dialog.tsx'
import { useToast } from '../../ui/overlay/toast.tsx'
import { useSaveRules } from './queries.ts'
import { groupName } from './retention-words.ts'

interface Props {
  /** The rules as they were when the dialog was opened: saving others than these is refused. */
  retention: Retention
  /** Whose rule is changed; a new one, when absent. */
  group?: string
  groups: readonly OwnGroup[]
  onClose: () => void
}

interface Days {
  sent: string
  received: string
}

const maxDays = 36_500
const isDays = (text: string) => text === '' || (/^\d{1,5}$/.test(text) && Number(text) <= maxDays)
const wrongDays = (text: string) => (isDays(text) ? undefined : 'Enter a whole number of days, up to 36,500.')

const daysOf = ({ rules }: Retention, group: string): Days => {
  const of = (direction: RetentionRule['direction']) =>
    String(rules.find((rule) => rule.direction === direction && rule.group_id === group)?.days ?? '')
  return { sent: of('sent'), received: of('received') }
}

/** All rules, with those of one group as they were typed. */
function changed({ rules, version }: Retention, group: string, { sent, received }: Days) {
  const others = rules.filter(({ group_id: id }) => id !== group)
  const typed = [
    { direction: 'sent', days: sent },
    { direction: 'received', days: received },
  ] as const
  const own = typed.flatMap(({ direction, days }) =>
    days === '' ? [] : [{ direction, group_id: group, days: Number(days) }],
  )
  return { rules: [...others, ...own], version }
}

/** How long the documents of one group are kept. */
export function RuleDialog({ retention, group: known, groups, onClose }: Props) {
  const [group, setGroup] = useState(known ?? '')
  const [days, setDays] = useState(() => daysOf(retention, group))
  const say = useToast()
  const save = useSaveRules(() => {
    onClose()
    say('Retention rules saved')
  })
  const isWhole = group !== '' && isDays(days.sent) && isDays(days.received)
  const deletes = [days.sent, days.received].some((each) => isDays(each) && Number(each) > 0)
  const free = groups.filter(({ id }) => !retention.rules.some((rule) => rule.group_id === id))
  const none =
    groups.length === 0 ? 'There are no groups yet' : free.length === 0 ? 'Every group has a rule' : undefined
  const remove = (
    <Button
      tone="danger"
      busy={save.busy}
      onClick={() => save.run(changed(retention, group, { sent: '', received: '' }))}
    >
      Remove rule
    </Button>
  )
  return (
    <FormDialog
      title={known === undefined ? 'Add a rule' : `Rule for ${groupName(groups, known)}`}
      verb="Save"
      ready={isWhole}
      action={save}
      also={known !== undefined && remove}
      onSubmit={() => save.run(changed(retention, group, days))}
      onClose={onClose}
    >
      {known === undefined && (
        <SelectField
          label="Group"
          choices={[
            { value: '', label: none ?? 'Choose…' },
            ...free.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          value={group}
          onChange={setGroup}
        />
      )}
      <DaysField label="Keep sent documents (days)" value={days.sent} onChange={(sent) => setDays({ ...days, sent })} />
      <DaysField
        label="Keep received documents (days)"
        value={days.received}
        onChange={(received) => setDays({ ...days, received })}
      />
      {deletes && (
        <Note tone="warn">
          Older documents of this group are deleted within the hour and can’t be recovered. Documents on legal hold are
          kept.
        </Note>
      )}
    </FormDialog>
  )
}

interface DaysProps {
  label: string
  value: string
  onChange: (value: string) => void
}

function DaysField({ label, value, onChange }: DaysProps) {
  return (
    <TextField
      label={label}
      help="Leave blank to use the general rule. Enter 0 to keep documents indefinitely."
      wrong={wrongDays(value)}
      inputMode="numeric"
      value={value}
      onChange={(typed) => onChange(typed.trim())}
    />
  )
}
