import type { Opening } from '@faxdeck/contract'
import { Time } from '../time.tsx'
import styles from './openings.module.css'

/** Who opened a fax outside of their groups: when, until when, and why. Nothing for a fax that nobody opened so. */
export function Openings({ openings }: { openings: readonly Opening[] }) {
  if (openings.length === 0) return null
  return (
    <section aria-label="Opened with a reason">
      <h3>Opened with a reason</h3>
      <ul className={styles.openings}>
        {openings.map(({ person_id: id, name, reason, opened_at: at, until }) => (
          <li key={`${id} ${at}`}>
            <span className={styles.who}>
              {name}: {reason}
            </span>
            <span className="muted">
              <Time at={at} dated /> to <Time at={until} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
