import type { Group } from '@faxdeck/contract'
import { roles } from '@faxdeck/contract/permissions'
import { isFaxNumber } from '@faxdeck/contract/phone'
import { useQuery } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { Button, IconButton } from '../../ui/control/button.tsx'
import { IconX } from '../../ui/control/icons.ts'
import { SelectField, TextField } from '../../ui/form/fields.tsx'
import { ErrorNotice } from '../../ui/layout/states.tsx'
import { Confirm, Dialog } from '../../ui/overlay/dialog.tsx'
import { useToast } from '../../ui/overlay/toast.tsx'
import styles from './groups.module.css'
import { peopleQuery, useGroupActions } from './queries.ts'

/** A group: its name, numbers and people. Each change is saved at once. */
export function GroupDialog({ group, onClose }: { group: Group; onClose: () => void }) {
  const say = useToast()
  const [asking, setAsking] = useState(false)
  const actions = useGroupActions(group.id, {
    onRemoved: () => {
      onClose()
      say(`${group.name} deleted`)
    },
  })
  const { rename, addNumber, removeNumber, sendFrom, addMember, removeMember, remove } = actions
  const failed = [rename, addNumber, removeNumber, sendFrom, addMember, removeMember].find(({ error }) => error)
  const footer = (
    <>
      <Button onClick={() => setAsking(true)}>Delete group…</Button>
      <Button tone="primary" onClick={onClose}>
        Done
      </Button>
    </>
  )
  return (
    <Dialog title={group.name} width="wide" onClose={onClose} footer={footer}>
      <div className={styles.parts}>
        {failed?.error && <ErrorNotice error={failed.error} />}
        <GroupName key={group.name} group={group} rename={rename} />
        <GroupNumbers group={group} add={addNumber} remove={removeNumber} sendFrom={sendFrom} />
        <GroupMembers group={group} add={addMember} remove={removeMember} />
      </div>
      {asking && (
        <Confirm
          title={`Delete the group “${group.name}”?`}
          verb="Delete"
          danger
          action={remove}
          onConfirm={() => remove.run(undefined)}
          onClose={() => setAsking(false)}
        >
          Its members immediately lose access to its faxes. The faxes are kept, but only operators and their senders can
          see them. This can’t be undone.
        </Confirm>
      )}
    </Dialog>
  )
}

function GroupName({ group, rename }: { group: Group; rename: ReturnType<typeof useGroupActions>['rename'] }) {
  const [name, setName] = useState(group.name)
  const isChanged = name.trim() !== '' && name.trim() !== group.name
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (isChanged) rename.run(name.trim())
  }
  return (
    <form className={styles.add} onSubmit={submit}>
      <TextField label="Name" maxLength={100} value={name} onChange={setName} />
      <Button type="submit" busy={rename.busy} disabled={!isChanged}>
        Rename
      </Button>
    </form>
  )
}

type NumberActions = ReturnType<typeof useGroupActions>
interface GroupNumbersProps {
  group: Group
  add: NumberActions['addNumber']
  remove: NumberActions['removeNumber']
  sendFrom: NumberActions['sendFrom']
}

const ofLine = ''

/** The numbers of a group. */
function GroupNumbers({ group, add, remove, sendFrom }: GroupNumbersProps) {
  const [typed, setTyped] = useState('')
  const [known, setKnown] = useState(group.numbers)
  // What was refused stays in its field, to be corrected.
  if (known !== group.numbers) {
    setKnown(group.numbers)
    if (group.numbers.length > known.length) setTyped('')
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (isFaxNumber(typed)) add.run(typed.trim())
  }
  return (
    <section aria-labelledby="group-numbers" className={styles.part}>
      <h3 id="group-numbers">Numbers</h3>
      <p className="muted">
        Faxes received on these numbers belong to this group. Faxes received before a number was added stay where they
        are.
      </p>
      {group.numbers.length === 0 && <p className="muted">This group has no numbers yet.</p>}
      <ul className={styles.rows}>
        {group.numbers.map((number) => (
          <li key={number}>
            <span>{number}</span>
            <IconButton icon={IconX} label={`Remove ${number}`} onClick={() => remove.run(number)} />
          </li>
        ))}
      </ul>
      <form className={styles.add} onSubmit={submit}>
        <TextField label="Add a number" type="tel" placeholder="+15555550100" value={typed} onChange={setTyped} />
        <Button type="submit" busy={add.busy} disabled={!isFaxNumber(typed)}>
          Add number
        </Button>
      </form>
      {group.numbers.length > 0 && (
        <SelectField
          label="Send from"
          help="Caller ID of this group’s faxes, also printed on them. Your provider must accept the number as yours."
          value={group.calling_number ?? ofLine}
          choices={[
            { value: ofLine, label: 'The number in the provider settings' },
            ...group.numbers.map((number) => ({ value: number, label: number })),
          ]}
          disabled={sendFrom.busy}
          onChange={(number) => sendFrom.run(number === ofLine ? null : number)}
        />
      )}
    </section>
  )
}

type MemberActions = ReturnType<typeof useGroupActions>
interface GroupMembersProps {
  group: Group
  add: MemberActions['addMember']
  remove: MemberActions['removeMember']
}

/** Who is in a group. */
function GroupMembers({ group, add, remove }: GroupMembersProps) {
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
