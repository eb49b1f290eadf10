import type { ITheme } from '@xterm/xterm'

/** The colors of the page's theme, as a terminal takes them. */
export function readTheme(): ITheme {
  const style = getComputedStyle(document.documentElement)
  const color = (token: string) => style.getPropertyValue(`--${token}`).trim()
  return {
    background: color('surface'),
    foreground: color('ink'),
    cursor: color('accent'),
    cursorAccent: color('surface'),
    selectionBackground: color('accent-soft'),
    red: color('bad'),
    green: color('ok'),
    yellow: color('warn'),
    blue: color('info'),
    cyan: color('accent'),
    white: color('muted'),
    scrollbarSliderBackground: color('line'),
    scrollbarSliderHoverBackground: color('field-line'),
    scrollbarSliderActiveBackground: color('field-line'),
  }
}

/** Calls `listener` whenever the page's theme is another one; returns how to stop. */
export function onThemeChange(listener: () => void): () => void {
  const observer = new MutationObserver(listener)
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  return () => observer.disconnect()
}
