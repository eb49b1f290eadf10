/** What browsers call themselves, the more particular first: nearly all say Chrome and Safari as well. */
const browsers = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|Chromium|CriOS|HeadlessChrome)\//],
  ['Safari', /\bSafari\//],
] as const
const systems = [
  ['Android', /Android/],
  ['iPhone', /iPhone/],
  ['iPad', /iPad/],
  ['Windows', /Windows/],
  ['macOS', /Mac OS X|Macintosh/],
  ['ChromeOS', /CrOS/],
  ['Linux', /Linux|X11/],
] as const

/** A browser and its system in words: "Firefox on Windows". @param agent its User-Agent header */
export function browserName(agent: string): string {
  const nameIn = (known: typeof browsers | typeof systems) => known.find(([, sign]) => sign.test(agent))?.[0]
  const browser = nameIn(browsers)
  const system = nameIn(systems)
  if (browser === undefined) return agent.trim() === '' ? 'Unknown browser' : agent
  return system === undefined ? browser : `${browser} on ${system}`
}
