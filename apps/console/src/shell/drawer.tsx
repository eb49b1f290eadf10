import type { HealthStatus } from '@faxdeck/contract'
import { Dialog } from '../ui/overlay/dialog.tsx'
import { IconQuestion } from '../ui/control/icons.ts'
import { BadgeMark } from './badge-mark.tsx'
import styles from './drawer.module.css'
import { guideOf } from './guide.ts'
import { findPlace, tabRows, type Place } from './navigation.ts'
import { useSession } from '../session/session.ts'

interface Props {
  place: Place | undefined
  health: HealthStatus | undefined
  onClose: () => void
}

/** The whole tree of places, for small screens. */
export function Drawer({ place, health, onClose }: Props) {
  const session = useSession()
  const account = findPlace('account', session)
  return (
    <Dialog title="Faxdeck" place="left" onClose={onClose}>
      <nav aria-label="Main" className={styles.tree}>
        {tabRows(session).map(({ key, label, places }) => {
          const own = places.length === 1 && places[0]?.key === key
          return (
            <div key={key}>
              {!own && <p className={styles.group}>{label}</p>}
              {places.map((each) => (
                <Way key={each.key} place={each} here={each.key === place?.key} health={health} onDone={onClose} />
              ))}
            </div>
          )
        })}
        {account && <Way place={account} here={place?.key === account.key} health={health} onDone={onClose} />}
        <a className={styles.way} href={guideOf(place, session.config)} target="_blank" rel="noreferrer">
          <IconQuestion size="1.125rem" stroke={1.75} aria-hidden="true" />
          <span className={styles.label}>Documentation</span>
        </a>
      </nav>
    </Dialog>
  )
}

interface WayProps {
  place: Place
  here: boolean
  health: HealthStatus | undefined
  onDone: () => void
}

function Way({ place, here, health, onDone }: WayProps) {
  const { go } = useSession()
  const badge = health && place.badge?.(health)
  const leave = () => {
    onDone()
    go(place.key)
  }
  return (
    <button type="button" className={styles.way} aria-current={here ? 'page' : undefined} onClick={leave}>
      <place.icon size="1.125rem" stroke={1.75} aria-hidden="true" />
      <span className={styles.label}>{place.label}</span>
      {badge && <BadgeMark badge={badge} />}
    </button>
  )
}
