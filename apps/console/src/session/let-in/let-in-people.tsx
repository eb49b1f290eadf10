import type { Leavings } from '@faxdeck/contract'
import { roles } from '@faxdeck/contract/permissions'
import { Segments } from '../../ui/form/segments.tsx'
import { Checkbox } from '../../ui/form/switch.tsx'
import { type EndingChoice, givenInWords } from './ending.ts'
import styles from './let-in.module.css'

interface Props {
  people: Leavings['people']
  /** The id under which they act who let them in. */
  start: string
  /** "This key". */
  who: string
  choice: EndingChoice
  onChoose: (choice: EndingChoice) => void
}

const hows = [
  { value: 'suspend', label: 'Suspend' },
  { value: 'demote', label: 'Make Sender' },
] as const

/** The people whom a key or person let in, to choose those with whom something is done. */
export function LetInPeople({ people, start, who, choice, onChoose }: Props) {
  const others = people.filter((person) => !person.is_you)
  const choose = (ids: readonly string[]) => onChoose({ ...choice, people: ids })
  const toggle = (id: string, isOn: boolean) =>
    choose(isOn ? [...choice.people, id] : choice.people.filter((each) => each !== id))
  const all = choice.people.length === others.length
  return (
    <fieldset className={styles.people}>
      <legend className={styles.warning}>
        {who} let in {people.length === 1 ? '1 person' : `${people.length} people`}, directly or through others. Select
        those who should not stay:
      </legend>
      {others.length > 1 && (
        <Checkbox
          label="Select all"
          checked={all}
          onChange={(isOn) => choose(isOn ? others.map(({ id }) => id) : [])}
        />
      )}
      <ul className={styles.list}>
        {people.map((person) => (
          <li key={person.id}>
            <Checkbox
              label={person.is_you ? `${person.name} (you)` : person.name}
              help={`${roles[person.role].label}, ${person.email}. ${givenInWords(person, start)}`}
              checked={choice.people.includes(person.id)}
              disabled={person.is_you}
              onChange={(isOn) => toggle(person.id, isOn)}
            />
          </li>
        ))}
      </ul>
      {choice.people.length > 0 && (
        <>
          <Segments
            label="What happens to them"
            choices={hows}
            value={choice.how}
            onChange={(how) => onChoose({ ...choice, how })}
          />
          <p>
            {choice.how === 'suspend'
              ? 'Their sessions end immediately and they can’t sign in. You can reinstate them under People.'
              : 'They keep their accounts, but can only send faxes and see their own.'}
          </p>
        </>
      )}
    </fieldset>
  )
}
