import type { Icon } from '@tabler/icons-react'
import { IconKeyboard, IconLogout, IconQuestion } from '../ui/control/icons.ts'
import { guideOf } from './guide.ts'
import { findPlace, groups, openPlaces } from './navigation.ts'
import type { Session } from './session.ts'
import { themeChoices } from './theme-menu.tsx'
import { chooseTheme } from './theme.ts'

export interface Command {
  key: string
  label: string
  /** "Place" or "Action". */
  kind: string
  icon: Icon
  run: () => void
}

/** The documentation of the place where the person is, in a tab of its own. */
function openGuide({ config, visit }: Session): void {
  window.open(guideOf(findPlace(visit.place, config), config), '_blank', 'noreferrer')
}

/** Everything the palette offers to this person, in the order of the navigation table. */
export function commandsFor(session: Session, showKeys: () => void): Command[] {
  const { config, go, logOut } = session
  const ways = openPlaces(config).flatMap((place) => {
    const label = place.parent ? `${groups[place.parent].label}: ${place.label}` : place.label
    const actions = (place.actions ?? []).map((action) => ({
      key: `${place.key}-${action.open}`,
      label: action.label,
      kind: 'Action',
      icon: place.icon,
      run: () => go(place.key, { open: action.open }),
    }))
    return [{ key: place.key, label, kind: 'Place', icon: place.icon, run: () => go(place.key) }, ...actions]
  })
  const themes = themeChoices.map(({ mode, label, icon }) => ({
    key: `theme-${mode}`,
    label: `${label} theme`,
    kind: 'Action',
    icon,
    run: () => chooseTheme(mode),
  }))
  return [
    ...ways,
    ...themes,
    { key: 'guide', label: 'Documentation', kind: 'Action', icon: IconQuestion, run: () => openGuide(session) },
    { key: 'keys', label: 'List of keys', kind: 'Action', icon: IconKeyboard, run: showKeys },
    { key: 'log-out', label: 'Log out', kind: 'Action', icon: IconLogout, run: logOut },
  ]
}

/** Whether every typed word begins some word of the command's label. */
export function matches(command: Command, typed: string): boolean {
  const words = command.label.toLowerCase().split(/[^\p{L}\p{N}]+/u)
  const parts = typed.toLowerCase().split(/\s+/).filter(Boolean)
  return parts.every((part) => words.some((word) => word.startsWith(part)))
}
