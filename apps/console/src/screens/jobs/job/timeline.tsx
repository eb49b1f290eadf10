import type { Job } from '@faxdeck/contract'
import { shortTime, Time } from '../../../ui/time.tsx'
import { toneOf, withHour } from './timeline-words.ts'
import styles from './timeline.module.css'

/** What happened to a fax, in plain words and in order. */
export function Timeline({ entries }: { entries: Job['timeline'] }) {
  return (
    <ol className={styles.timeline} aria-label="Timeline">
      {entries.map(({ at, event, sentence, until }) => (
        <li key={`${at} ${event} ${sentence}`} data-tone={toneOf(event)}>
          <span>{withHour(sentence, until ? shortTime(until) : undefined)}</span>
          <span className={styles.at}>
            <Time at={at} seconds />
          </span>
        </li>
      ))}
    </ol>
  )
}
