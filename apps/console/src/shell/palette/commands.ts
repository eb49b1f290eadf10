import type { Icon } from '@tabler/icons-react'
import { IconBell, IconHash, IconKeyboard, IconLogout, IconQuestion, IconSend } from '../../ui/control/icons.ts'
import { noticesLabel, type useDesktopNotices } from '../../session/desktop-notices.ts'
import { guideOf } from '../guide.ts'
import { findPlace, groups, openPlaces } from '../navigation.ts'
import { finding, mayBreakGlass } from '../../session/fax-access/open-fax.ts'
import type { Session } from '../../session/session.ts'
import { themeChoices } from '../theme-menu.tsx'
import { chooseTheme } from '../theme.ts'

export interface Command {
  key: string
  label: string
  /** "Place", "Action", "Setting". */
  kind: string
  /** Found by these too, which are not shown. */
  words?: string
  /** The keys that do the same. */
  hotkey?: string | undefined
  icon: Icon
  run: () => void
}

/** The documentation of the place where the person is, in a tab of its own. */
function openGuide(session: Session): void {
  const { config, visit } = session
  window.open(guideOf(findPlace(visit.place, session), config), '_blank', 'noreferrer')
}

interface Offered {
  showKeys: () => void
  notices: ReturnType<typeof useDesktopNotices>
}

/** Everything the palette offers to this person, in the order of the navigation table. */
export function commandsFor(session: Session, { showKeys, notices }: Offered): Command[] {
  const { go, canGo, may, logOut } = session
  const ways = openPlaces(session).flatMap((place) => {
    const label = place.parent ? `${groups[place.parent].label}: ${place.label}` : place.label
    const offered = (place.actions ?? []).filter(({ needs }) => needs === undefined || may(needs))
    const actions = offered.map((action) => ({
      key: `${place.key}-${action.open}`,
      label: action.label,
      kind: 'Action',
      icon: place.icon,
      run: () => go(place.key, { open: action.open }),
    }))
    const hotkey = place.hotkey && `g ${place.hotkey}`
    return [{ key: place.key, label, kind: 'Screen', icon: place.icon, hotkey, run: () => go(place.key) }, ...actions]
  })
  const themes = themeChoices.map(({ mode, label, icon }) => ({
    key: `theme-${mode}`,
    label: `${label} theme`,
    kind: 'Action',
    icon,
    run: () => chooseTheme(mode),
  }))
  const emergency = {
    key: finding,
    label: 'Find a fax with a reason',
    words: 'emergency access open number',
    kind: 'Action',
    icon: IconHash,
  }
  const compose = { key: 'compose', label: 'Send a fax', kind: 'Action', icon: IconSend, hotkey: 'c' }
  return [
    ...(canGo('send') ? [{ ...compose, run: () => go('send') }] : []),
    ...ways,
    ...(mayBreakGlass(session) ? [{ ...emergency, run: () => go('jobs', { open: finding }) }] : []),
    ...themes,
    ...(notices.toggle
      ? [{ key: 'notices', label: noticesLabel(notices.on), kind: 'Action', icon: IconBell, run: notices.toggle }]
      : []),
    { key: 'guide', label: 'Documentation', kind: 'Action', icon: IconQuestion, run: () => openGuide(session) },
    { key: 'keys', label: 'Keyboard shortcuts', kind: 'Action', icon: IconKeyboard, hotkey: '?', run: showKeys },
    { key: 'log-out', label: 'Log out', kind: 'Action', icon: IconLogout, run: logOut },
  ]
}

/** Whether every typed word begins some word of the command. */
export function matches(command: Command, typed: string): boolean {
  const words = `${command.label} ${command.words ?? ''}`.toLowerCase().split(/[^\p{L}\p{N}]+/u)
  const parts = typed.toLowerCase().split(/\s+/).filter(Boolean)
  return parts.every((part) => words.some((word) => word.startsWith(part)))
}
