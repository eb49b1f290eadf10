import { useSyncExternalStore } from 'react'

const name = 'theme-mode'
const changed = 'faxdeck:theme'
const prefersDark = matchMedia('(prefers-color-scheme: dark)')

export type ThemeMode = 'dark' | 'light' | 'system'

function readMode(): ThemeMode {
  const kept = localStorage.getItem(name)
  return kept === 'dark' || kept === 'light' ? kept : 'system'
}

/** Puts the theme in force; `public/theme.js` has done the same before the first paint. */
function apply(): void {
  const mode = readMode()
  const dark = mode === 'dark' || (mode === 'system' && prefersDark.matches)
  document.documentElement.dataset.theme = dark ? 'dark' : 'light'
}

/** Chooses a theme, here and in every other tab. */
export function chooseTheme(mode: ThemeMode): void {
  localStorage.setItem(name, mode)
  apply()
  dispatchEvent(new Event(changed))
}

/** Follows the operating system and the other tabs from now on. */
export function followTheme(): void {
  prefersDark.addEventListener('change', apply)
  addEventListener('storage', (event) => {
    if (event.key !== name && event.key !== null) return
    apply()
    dispatchEvent(new Event(changed))
  })
  // Paper is white, whatever the screen is.
  addEventListener('beforeprint', () => {
    document.documentElement.dataset.theme = 'light'
  })
  addEventListener('afterprint', apply)
  apply()
}

const subscribe = (listener: () => void) => {
  addEventListener(changed, listener)
  return () => removeEventListener(changed, listener)
}

/** The chosen mode. */
export function useThemeMode(): ThemeMode {
  return useSyncExternalStore(subscribe, readMode)
}
