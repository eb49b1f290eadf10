import type { ApiKey } from '@faxdeck/contract'
import { useOwnGroups } from '../../api/groups.ts'
import { Checkbox, TextField } from '../../ui/form/fields.tsx'
import styles from './keys.module.css'
import type { NewKey } from './queries.ts'

/** The received faxes that a new key is limited to, as they are chosen. */
export interface ChosenLimit {
  isLimited: boolean
  groups: readonly string[]
  /** Separated by commas, as typed. */
  numbers: string
  /** Whether it may delete their documents. */
  deletes: boolean
}

export const noLimit: ChosenLimit = { isLimited: false, groups: [], numbers: '', deletes: false }

const numbersOf = ({ numbers }: ChosenLimit) =>
  numbers
    .split(',')
    .map((number) => number.trim())
    .filter(Boolean)

/** As it is sent; undefined for no limit. */
export const limitOf = (chosen: ChosenLimit): NewKey['received_only'] =>
  chosen.isLimited ? { groups: [...chosen.groups], numbers: numbersOf(chosen) } : undefined

/** Whether something is chosen where a limit is wanted. */
export const isWhole = (chosen: ChosenLimit): boolean =>
  !chosen.isLimited || chosen.groups.length > 0 || numbersOf(chosen).length > 0

interface Props {
  chosen: ChosenLimit
  /** Whether the key can be made to delete what it receives. */
  canDelete: boolean
  onChange: (chosen: ChosenLimit) => void
}

/** Limits a key to the received faxes of some groups and numbers. */
export function ReceivedLimitFields({ chosen, canDelete, onChange }: Props) {
  const groups = useOwnGroups()
  const toggle = (id: string, wanted: boolean) =>
    onChange({ ...chosen, groups: [...chosen.groups.filter((each) => each !== id), ...(wanted ? [id] : [])] })
  return (
    <fieldset className={styles.scopes}>
      <legend className="unseen">Received faxes</legend>
      <Checkbox
        label="Only received faxes of some groups or numbers"
        help="The key sees no other received faxes, also in events, webhooks and searches."
        checked={chosen.isLimited}
        onChange={(isLimited) => onChange({ ...chosen, isLimited })}
      />
      {chosen.isLimited &&
        groups.map(({ id, name }) => (
          <Checkbox
            key={id}
            label={name}
            checked={chosen.groups.includes(id)}
            onChange={(wanted) => toggle(id, wanted)}
          />
        ))}
      {chosen.isLimited && (
        <TextField
          label="Numbers called"
          help={`${isWhole(chosen) ? '' : 'Choose a group or enter a number. '}Separate numbers with commas.`}
          value={chosen.numbers}
          onChange={(numbers) => onChange({ ...chosen, numbers })}
        />
      )}
      {canDelete && (
        <Checkbox
          label="May delete received faxes"
          help="The key can delete the documents of the received faxes that it sees, for good. Legal holds still apply."
          checked={chosen.deletes}
          onChange={(deletes) => onChange({ ...chosen, deletes })}
        />
      )}
    </fieldset>
  )
}

const counted = (count: number, one: string) => (count === 0 ? [] : [`${count} ${one}${count === 1 ? '' : 's'}`])

/** What a key is limited to and may delete, below the faxes it sees. */
export function ReceivedLimit({ row: { received_only: limit, received_delete: deletes } }: { row: ApiKey }) {
  const groups = useOwnGroups()
  const deletion = deletes && <small className="muted">Deletes received faxes</small>
  if (limit === null) return deletion
  const names = limit.groups.map((id) => groups.find((group) => group.id === id)?.name ?? 'a deleted group')
  return (
    <>
      <small className="muted" title={`Received faxes: only ${[...names, ...limit.numbers].join(', ')}`}>
        {[...counted(limit.groups.length, 'group'), ...counted(limit.numbers.length, 'number')].join(', ')}
      </small>
      {deletion}
    </>
  )
}
