import type { Broadcast } from '@faxdeck/contract'
import { grouped } from '../../ui/words/grouped.ts'
import { endedOf, outcomeKinds, outcomeSentence, type OutcomeKind } from './broadcast-words.ts'
import styles from './broadcasts.module.css'

/** How far a broadcast is, one part for each outcome. */
export function OutcomeBar({ broadcast }: { broadcast: Broadcast }) {
  const { counts, faxes } = broadcast
  return (
    <div
      className={styles.bar}
      role="progressbar"
      aria-label="Progress"
      aria-valuemin={0}
      aria-valuemax={faxes}
      aria-valuenow={endedOf(broadcast)}
      aria-valuetext={outcomeSentence(broadcast)}
    >
      {outcomeKinds.map(({ key, tone }) =>
        key === 'queued' || counts[key] === 0 ? null : (
          <span key={key} data-tone={tone} style={{ flexGrow: counts[key] }} />
        ),
      )}
      {counts.queued > 0 && <span style={{ flexGrow: counts.queued }} />}
    </div>
  )
}

/** Faxes by outcome; each leads to them among the jobs. */
export function OutcomeCounts({ broadcast, onOpen }: { broadcast: Broadcast; onOpen: (kind: OutcomeKind) => void }) {
  return (
    <ul className={styles.counts} aria-label="Faxes by outcome">
      {outcomeKinds.map((kind) => {
        const count = broadcast.counts[kind.key]
        const label = kind.key === 'delivered' && broadcast.test ? 'Test passed' : kind.label
        return (
          <li key={kind.key}>
            <button type="button" disabled={count === 0} onClick={() => onOpen(kind)}>
              <span className={styles.swatch} data-tone={kind.tone} aria-hidden="true" />
              <span className={styles.count}>{grouped(count)}</span> <span>{label}</span>
            </button>
          </li>
        )
      })}
    </ul>
  )
}
