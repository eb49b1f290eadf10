import type { Icon } from '@tabler/icons-react'
import { IconKeyboard, IconLogout } from '../ui/icons.ts'
import { groups, openPlaces } from './navigation.ts'
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

/** Everything the palette offers to this person, in the order of the navigation table. */
export function commandsFor({ config, go, logOut }: Session, showKeys: () => void): Command[] {
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
