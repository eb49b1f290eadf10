import type { Broadcast } from '@faxdeck/contract'
import { IconBan, IconCheck, IconHourglass, IconProgress } from '../../ui/control/icons.ts'
import { Chip } from '../../ui/control/status-chip.tsx'
import { grouped } from '../../ui/words/figures.ts'
import { endedOf, type OutcomeKind, outcomeKinds, outcomeLabel, outcomeSentence, stateWord } from './broadcast-words.ts'
import styles from './broadcasts.module.css'

const looks = {
  sending: { tone: 'info', icon: IconProgress },
  paused: { tone: 'warn', icon: IconHourglass },
  cancelling: { tone: 'warn', icon: IconBan },
  finished: { tone: 'plain', icon: IconCheck },
} as const

/** How a broadcast stands: icon, word and color. */
export function StateChip({ broadcast }: { broadcast: Broadcast }) {
  const { state, cancelled_at: cancelled } = broadcast
  const { tone, icon } = looks[state]
  return (
    <Chip tone={tone} icon={cancelled === null ? icon : IconBan} title={state}>
      {stateWord(broadcast)}
    </Chip>
  )
}

/** How far a broadcast is, one part for each outcome; it fills only with faxes that have ended. */
export function OutcomeBar({ broadcast }: { broadcast: Broadcast }) {
  const { counts, faxes } = broadcast
  const left = faxes - endedOf(broadcast)
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
        key === 'queued' || key === 'in_progress' || counts[key] === 0 ? null : (
          <span key={key} data-tone={tone} style={{ flexGrow: counts[key] }} />
        ),
      )}
      {left > 0 && <span style={{ flexGrow: left }} />}
    </div>
  )
}

interface CountsProps {
  broadcast: Broadcast
  chosen: OutcomeKind | undefined
  onChoose: (kind: OutcomeKind | undefined) => void
}

/** Faxes by outcome; each is a filter of the recipients, which ends when it is pressed again. */
export function OutcomeCounts({ broadcast, chosen, onChoose }: CountsProps) {
  return (
    <ul className={styles.counts} aria-label="Faxes by outcome">
      {outcomeKinds.map((kind) => {
        const count = broadcast.counts[kind.key]
        const isChosen = kind === chosen
        return (
          <li key={kind.key}>
            <button
              type="button"
              aria-pressed={isChosen}
              disabled={count === 0 && !isChosen}
              onClick={() => onChoose(isChosen ? undefined : kind)}
            >
              <span className={styles.swatch} data-tone={kind.tone} aria-hidden="true" />
              <span className={styles.count}>{grouped(count)}</span> <span>{outcomeLabel(kind, broadcast)}</span>
            </button>
          </li>
        )
      })}
    </ul>
  )
}
