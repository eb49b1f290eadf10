import type { Leavings } from '@faxdeck/contract'
import { Checkbox } from '../../ui/form/switch.tsx'
import type { EndingChoice } from './ending.ts'
import { LetInPeople } from './let-in-people.tsx'
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
