import type { LegalHold } from '@faxdeck/contract'
import { IconLock } from '../control/icons.ts'
import { Time } from '../time.tsx'
import { onSubject, placedBy } from '../words/hold-words.ts'
import styles from './hold-list.module.css'
import { Chip } from '../control/status-chip.tsx'

/** The legal holds that keep a fax: what they are about, why, who placed them and when. */
export function HoldList({ holds }: { holds: readonly LegalHold[] }) {
  return (
    <ul className={styles.holds} aria-label="Legal holds">
      {holds.map((hold) => (
        <li key={hold.id}>
          <Chip tone="info" icon={IconLock}>
            Legal hold
          </Chip>
          <span>
            {hold.reason}
            <span className="muted">
              {` · on ${onSubject(hold)} · ${placedBy(hold)}, `}
              <Time at={hold.placed_at} />
            </span>
          </span>
        </li>
      ))}
    </ul>
  )
}
