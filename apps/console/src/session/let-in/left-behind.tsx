import type { Leavings } from '@faxdeck/contract'
import { roles } from '@faxdeck/contract/permissions'
import { Checkbox, Segments } from '../../ui/form/fields.tsx'
import { type EndingChoice, givenInWords } from './ending.ts'
import styles from './let-in.module.css'

/** How sentences name a key or person. */
export interface Subject {
  /** The id under which they act. */
  start: string
  /** "This key". */
  who: string
  /** "its holder". */
  holder: string
  /** One key that they made, and how several are called. */
  oneKey: string
  manyKeys: string
  /** What is said when nothing is undone. */
  nothing: string
  /** How a setting is kept. */
  keep: string
}

interface Props {
  leavings: Leavings
  subject: Subject
  choice: EndingChoice
  onChoose: (choice: EndingChoice) => void
}

const namesOf = (keys: Leavings['keys']) => keys.map(({ key_id, name }) => name ?? key_id).join(', ')

function LetInKeys({ leavings, subject, choice, onChoose }: Props) {
  const { who, holder, oneKey, manyKeys } = subject
  const staying = leavings.keys.filter(({ stays }) => stays)
  const keys = leavings.keys.filter(({ stays }) => !stays)
  const count = keys.length === 1 ? oneKey : `${keys.length} ${manyKeys}`
  return (
    <>
      {keys.length > 0 && (
        <>
          <p className={styles.warning}>
            {who} created or rotated {count}, so {holder} may have {keys.length === 1 ? 'that token' : 'those tokens'}:{' '}
            {namesOf(keys)}.
          </p>
          <Checkbox
            label="Revoke these too"
            checked={choice.issued}
            onChange={(issued) => onChoose({ ...choice, issued })}
          />
        </>
      )}
      {staying.length > 0 && <p>Keys that stay with the people who created them: {namesOf(staying)}.</p>}
    </>
  )
}

function SetUp({
  leavings: { settings, plugins, webhooks },
  subject: { nothing, keep },
}: Pick<Props, 'leavings' | 'subject'>) {
  if (settings.length + plugins.length + webhooks.length === 0) return <p>{nothing}</p>
  return (
    <>
      <p className={styles.warning}>Anything set up that could let them back in will be undone:</p>
      <ul>
        {settings.length > 0 && (
          <li>Settings reset to their previous or default value: {settings.map(({ label }) => label).join(', ')}</li>
        )}
        {plugins.length > 0 && (
          <li>Plugins removed or rolled back to an earlier version: {plugins.map(({ id }) => id).join(', ')}</li>
        )}
        {webhooks.length > 0 && <li>Webhooks paused: {webhooks.map(({ url }) => url).join(', ')}</li>}
      </ul>
      <p>{keep}</p>
    </>
  )
}

/** What a key or person leaves behind: whom they let in, to choose from, and what is undone of what they set up. */
export function LeftBehind({ leavings, subject, choice, onChoose }: Props) {
  return (
    <>
      <LetInKeys {...{ leavings, subject, choice, onChoose }} />
      {leavings.people.length > 0 && (
        <LetInPeople
          people={leavings.people}
          start={subject.start}
          who={subject.who}
          choice={choice}
          onChoose={onChoose}
        />
      )}
      <SetUp leavings={leavings} subject={subject} />
    </>
  )
}

interface LetInPeopleProps {
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
function LetInPeople({ people, start, who, choice, onChoose }: LetInPeopleProps) {
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
