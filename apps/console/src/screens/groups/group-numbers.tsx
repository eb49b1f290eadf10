import type { Group } from '@faxdeck/contract'
import { isFaxNumber } from '@faxdeck/contract/phone'
import { useState, type SubmitEvent } from 'react'
import { Button } from '../../ui/control/button.tsx'
import { IconButton } from '../../ui/control/icon-button.tsx'
import { IconX } from '../../ui/control/icons.ts'
import { SelectField } from '../../ui/form/select-field.tsx'
import { TextField } from '../../ui/form/text-field.tsx'
import styles from './groups.module.css'
import type { useGroupActions } from './queries.ts'

type Actions = ReturnType<typeof useGroupActions>
interface Props {
  group: Group
  add: Actions['addNumber']
  remove: Actions['removeNumber']
  sendFrom: Actions['sendFrom']
}

const ofLine = ''

/** The numbers of a group. */
export function GroupNumbers({ group, add, remove, sendFrom }: Props) {
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
