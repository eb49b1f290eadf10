import type { Group } from '@faxdeck/contract'
import { roles } from '@faxdeck/contract/permissions'
import { useQuery } from '@tanstack/react-query'
import { useState, type SubmitEvent } from 'react'
import { Button } from '../../ui/control/button.tsx'
import { IconButton } from '../../ui/control/icon-button.tsx'
import { IconX } from '../../ui/control/icons.ts'
import { SelectField } from '../../ui/form/select-field.tsx'
import { ErrorNotice } from '../../ui/layout/error-notice.tsx'
import styles from './groups.module.css'
import { peopleQuery, type useGroupActions } from './queries.ts'

type Actions = ReturnType<typeof useGroupActions>
interface Props {
  group: Group
  add: Actions['addMember']
  remove: Actions['removeMember']
}

/** Who is in a group. */
export function GroupMembers({ group, add, remove }: Props) {
  const { data: people, error, refetch } = useQuery(peopleQuery)
  const [chosen, setChosen] = useState('')
  const others = (people ?? []).filter(({ id }) => !group.members.some((member) => member.id === id))
  const choices = others.map(({ id, name, role }) => ({ value: id, label: `${name}, ${roles[role].label}` }))
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (!chosen) return
    add.run(chosen)
    setChosen('')
  }
  return (
    <section aria-labelledby="group-members" className={styles.part}>
      <h3 id="group-members">People</h3>
      <p className="muted">
        Faxes they send belong to this group. People in several groups choose one for each fax. Members see all faxes of
        the group, operators see all faxes, and senders see only their own.
      </p>
      {group.members.length === 0 && <p className="muted">Nobody is in this group yet.</p>}
      <ul className={styles.rows}>
        {group.members.map(({ id, name }) => (
          <li key={id}>
            <span>{name}</span>
            <IconButton icon={IconX} label={`Remove ${name}`} onClick={() => remove.run(id)} />
          </li>
        ))}
      </ul>
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {people?.length === 0 && <p className="muted">Nobody has an account yet. Invite people first.</p>}
      {choices.length > 0 && (
        <form className={styles.add} onSubmit={submit}>
          <SelectField
            label="Add a person"
            value={chosen}
            choices={[{ value: '', label: 'Choose…' }, ...choices]}
            onChange={setChosen}
          />
          <Button type="submit" busy={add.busy} disabled={!chosen}>
            Add person
          </Button>
        </form>
      )}
    </section>
  )
}
