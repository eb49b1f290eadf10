import type { HealthStatus } from '@faxdeck/contract'
import { useState } from 'react'
import { useSession } from '../session/session.ts'
import { Button, IconButton, IconLink } from '../ui/control/button.tsx'
import { IconLogout, IconMenu, IconQuestion, IconSettings, IconUser } from '../ui/control/icons.ts'
import { Mark } from '../ui/layout/mark.tsx'
import { Tabs } from '../ui/layout/tabs.tsx'
import { useWide } from '../ui/layout/use-media.ts'
import { BadgeMark } from './badge-mark.tsx'
import { Drawer } from './drawer.tsx'
import { guideOf } from './guide.ts'
import styles from './header.module.css'
import { findPlace, openPlaces, type Place, type TabRow, tabRows } from './navigation.ts'
import { ThemeMenu } from './theme-menu.tsx'

interface Props {
  place: Place | undefined
  health: HealthStatus | undefined
  onPalette: () => void
  /** Shows the notice about the test line again; absent while it is shown. */
  onTestLine?: (() => void) | undefined
}

/** The mark, what always applies, and the tabs; on small screens the drawer instead of the tabs. */
export function Header({ place, health, onPalette, onTestLine }: Props) {
  const session = useSession()
  const { config, go, canGo, person, logOut } = session
  const wide = useWide()
  const [drawer, setDrawer] = useState(false)
  return (
    <header className={styles.header}>
      <div className={styles.top}>
        {!wide && <IconButton icon={IconMenu} label="Menu" aria-haspopup="dialog" onClick={() => setDrawer(true)} />}
        <button
          type="button"
          className={styles.home}
          onClick={() => go(canGo('dashboard') ? 'dashboard' : (openPlaces(session)[0]?.key ?? 'dashboard'))}
          aria-label={canGo('dashboard') ? 'Faxdeck: go to the dashboard' : 'Faxdeck: go to the first page'}
        >
          <Mark />
          <span className={styles.name}>Faxdeck</span>
        </button>
        <span className={styles.local}>LOCAL ONLY</span>
        {onTestLine && config.test_line && !config.demo && (
          <button type="button" className={styles.testLine} onClick={onTestLine}>
            TEST LINE
          </button>
        )}
        <span className={styles.gap} />
        {wide && <PaletteButton onPress={onPalette} />}
        {wide && <IconLink icon={IconQuestion} label="Help for this screen" href={guideOf(place, config)} />}
        <ThemeMenu />
        {canGo('settings') && (
          <IconButton
            icon={IconSettings}
            label="Open settings"
            align="end"
            onClick={() => go(canGo('settings/settings') ? 'settings/settings' : 'settings')}
          />
        )}
        {wide && person && (
          <button
            type="button"
            className={styles.person}
            title={`${person.email}: your account`}
            aria-current={place?.key === 'account' ? 'page' : undefined}
            onClick={() => go('account')}
          >
            <IconUser size="1.125rem" stroke={1.75} aria-hidden="true" />
            <span>{person.name}</span>
          </button>
        )}
        {wide ? (
          <Button onClick={logOut}>Log out</Button>
        ) : (
          <IconButton icon={IconLogout} label="Log out" align="end" onClick={logOut} />
        )}
      </div>
      {wide && place && <PlaceTabs rows={tabRows(session)} place={place} health={health} />}
      {drawer && <Drawer place={place} health={health} onClose={() => setDrawer(false)} />}
    </header>
  )
}

const isApple = navigator.userAgent.includes('Mac')

function PaletteButton({ onPress }: { onPress: () => void }) {
  return (
    <button type="button" className={styles.palette} onClick={onPress}>
      <kbd>{isApple ? '⌘ K' : 'Ctrl K'}</kbd>
      <span className="unseen"> Search or jump to…</span>
    </button>
  )
}

function PlaceTabs({ rows, place, health }: { rows: TabRow[]; place: Place; health: HealthStatus | undefined }) {
  const session = useSession()
  const { go } = session
  const fetchAhead = (key: string) => void findPlace(key, session)?.screen.preload()
  const row = rows.find(({ places }) => places.some(({ key }) => key === (place.within ?? place.key)))
  const tabs = rows.map(({ key, label, places }) => {
    return { key, label, badge: <PlaceBadge places={places} health={health} /> }
  })
  return (
    <div className={styles.tabs}>
      <Tabs label="Main" tabs={tabs} current={row?.key ?? ''} onGo={go} onNear={fetchAhead} />
      {place.parent && row && (
        <Tabs
          label={row.label}
          level="sub"
          tabs={row.places.map((each) => ({ ...each, badge: <PlaceBadge places={[each]} health={health} /> }))}
          current={place.key}
          onGo={go}
          onNear={fetchAhead}
        />
      )}
    </div>
  )
}

/** What is to be seen to at one of several places. */
function PlaceBadge({ places, health }: { places: readonly Place[]; health: HealthStatus | undefined }) {
  const badges = health ? places.map((place) => place.badge?.(health)) : []
  const badge = badges.find((each) => each && each.count > 0)
  return badge && <BadgeMark badge={badge} />
}
