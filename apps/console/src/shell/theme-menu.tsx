import { IconDeviceDesktop, IconMoon, IconSun } from '../ui/control/icons.ts'
import { Menu } from '../ui/overlay/menu.tsx'
import { chooseTheme, useThemeMode } from './theme.ts'

export const themeChoices = [
  { mode: 'dark', label: 'Dark', icon: IconMoon },
  { mode: 'light', label: 'Light', icon: IconSun },
  { mode: 'system', label: 'System', icon: IconDeviceDesktop },
] as const

/** Dark, light, or as the operating system says. */
export function ThemeMenu() {
  const mode = useThemeMode()
  const present = themeChoices.find((choice) => choice.mode === mode)
  const items = themeChoices.map((choice) => ({
    key: choice.mode,
    label: choice.label,
    icon: choice.icon,
    checked: choice.mode === mode,
    onChoose: () => chooseTheme(choice.mode),
  }))
  return <Menu icon={present?.icon ?? IconDeviceDesktop} label="Theme" items={items} />
}
