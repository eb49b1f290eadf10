import type { ITheme } from '@xterm/xterm'

/** The colours of the page's theme, as a terminal takes them. */
export function readTheme(): ITheme {
  const style = getComputedStyle(document.documentElement)
  const colour = (token: string) => style.getPropertyValue(`--${token}`).trim()
  return {
    background: colour('surface'),
    foreground: colour('ink'),
    cursor: colour('accent'),
    cursorAccent: colour('surface'),
    selectionBackground: colour('accent-soft'),
    red: colour('bad'),
    green: colour('ok'),
    yellow: colour('warn'),
    blue: colour('info'),
    cyan: colour('accent'),
    white: colour('muted'),
    scrollbarSliderBackground: colour('line'),
    scrollbarSliderHoverBackground: colour('field-line'),
    scrollbarSliderActiveBackground: colour('field-line'),
  }
}

/** Calls `listener` whenever the page's theme is another one; returns how to stop. */
export function onThemeChange(listener: () => void): () => void {
  const observer = new MutationObserver(listener)
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  return () => observer.disconnect()
}
