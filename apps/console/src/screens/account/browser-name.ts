const browsers = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|Chromium|CriOS|HeadlessChrome)\//],
  ['Safari', /\bSafari\//],
] as const
const systems = [
  ['iPhone', /iPhone/],
  ['iPad', /iPad/],
  ['Android', /Android/],
  ['Windows', /Windows/],
  ['macOS', /Mac OS X|Macintosh/],
  ['ChromeOS', /CrOS/],
  ['Linux', /Linux/],
] as const

/** What a browser calls itself, for people: "Firefox on Windows". @param agent its User-Agent */
export function browserName(agent: string): string {
  const [browser] = browsers.find(([, sign]) => sign.test(agent)) ?? []
  const [system] = systems.find(([, sign]) => sign.test(agent)) ?? []
  if (browser === undefined) return agent.slice(0, 40) || 'Unknown browser'
  return system === undefined ? browser : `${browser} on ${system}`
}
