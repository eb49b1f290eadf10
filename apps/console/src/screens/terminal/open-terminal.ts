import { type ITheme, Terminal } from '@xterm/xterm'
import '@xterm/xterm/css/xterm.css'
import { DemoShell } from './demo-shell.ts'

/** A terminal on the page with the simulated shell in it. */
export interface OpenTerminal {
  focus: () => void
  clear: () => void
  /** Everything that stands in it, as text. */
  text: () => string
  close: () => void
}

const rem = () => Number.parseFloat(getComputedStyle(document.documentElement).fontSize)

/** As many rows and columns as there is room for. */
function fit(terminal: Terminal, place: HTMLElement): void {
  const screen = place.querySelector('.xterm-screen')
  if (!screen || screen.clientWidth === 0) return
  const { width, height } = screen.getBoundingClientRect()
  // The scroll bar stands beside the text.
  const columns = Math.floor((place.clientWidth - rem()) / (width / terminal.cols))
  const rows = Math.floor(place.clientHeight / (height / terminal.rows))
  if (columns > 0 && rows > 0) terminal.resize(Math.max(12, columns), Math.max(4, rows))
}

/** Tab completes, so there are other ways out for the keyboard: Shift with Tab, and Escape before Tab. */
function letFocusLeave(terminal: Terminal): void {
  let leaving = false
  terminal.attachCustomKeyEventHandler((event) => {
    if (event.type !== 'keydown') return true
    const leaves = event.key === 'Tab' && (event.shiftKey || leaving)
    leaving = event.key === 'Escape'
    return !leaves && !leaving
  })
}

function textOf(terminal: Terminal): string {
  const { active } = terminal.buffer
  const lines = Array.from({ length: active.length }, (_, row) => active.getLine(row)?.translateToString(true) ?? '')
  return `${lines.join('\n').trimEnd()}\n`
}

/** Opens a terminal in an element that has a size. */
export function openTerminal(place: HTMLElement): OpenTerminal {
  const style = getComputedStyle(document.documentElement)
  const terminal = new Terminal({
    screenReaderMode: true,
    cursorBlink: !matchMedia('(prefers-reduced-motion: reduce)').matches,
    fontFamily: style.getPropertyValue('--mono'),
    fontSize: 0.8125 * rem(),
    lineHeight: 1.35,
    minimumContrastRatio: 4.5,
    scrollback: 5000,
    theme: readTheme(),
  })
  terminal.open(place)
  letFocusLeave(terminal)
  fit(terminal, place)
  const shell = new DemoShell({
    write: (text) => terminal.write(text),
    // Also what has scrolled away.
    clear: () => terminal.write('\x1b[H\x1b[2J\x1b[3J'),
    columns: () => terminal.cols,
  })
  terminal.onData((data) => shell.feed(data))
  // Pasted text comes marked, so that its line breaks do not run anything.
  terminal.write('\x1b[?2004h')
  shell.start()
  const sizes = new ResizeObserver(() => fit(terminal, place))
  sizes.observe(place)
  const stopFollowing = onThemeChange(() => (terminal.options.theme = readTheme()))
  return {
    focus: () => terminal.focus(),
    clear: () => shell.feed('\x0c'),
    text: () => textOf(terminal),
    close: () => {
      shell.stop()
      stopFollowing()
      sizes.disconnect()
      terminal.dispose()
    },
  }
}

/** The colors of the page's theme, as a terminal takes them. */
function readTheme(): ITheme {
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
function onThemeChange(listener: () => void): () => void {
  const observer = new MutationObserver(listener)
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  return () => observer.disconnect()
}
