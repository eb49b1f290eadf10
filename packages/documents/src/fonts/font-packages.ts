/** Unicode's names of scripts (UAX #24) that the bundled fonts lack, as people call them. */
const scripts: Readonly<Record<string, string>> = {
  Arabic: 'Arabic',
  Armenian: 'Armenian',
  Bengali: 'Bengali',
  Devanagari: 'Devanagari',
  Ethiopic: 'Ethiopic',
  Georgian: 'Georgian',
  Gujarati: 'Gujarati',
  Gurmukhi: 'Gurmukhi',
  Hebrew: 'Hebrew',
  Kannada: 'Kannada',
  Khmer: 'Khmer',
  Lao: 'Lao',
  Malayalam: 'Malayalam',
  Myanmar: 'Burmese',
  Oriya: 'Odia',
  Sinhala: 'Sinhala',
  Tamil: 'Tamil',
  Telugu: 'Telugu',
  Thai: 'Thai',
  Tibetan: 'Tibetan',
}

/** What fonts are for, the characters of it, and the package of Debian and Ubuntu that has them. */
const families: readonly { name: string; pattern: RegExp; package: string }[] = [
  ...Object.entries(scripts).map(([script, name]) => ({
    name,
    pattern: new RegExp(`\\p{sc=${script}}`, 'u'),
    package: 'fonts-noto-core',
  })),
  {
    name: 'Chinese, Japanese and Korean',
    pattern: /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Bopomofo}]/u,
    package: 'fonts-noto-cjk',
  },
  // Flags, and emoji that are joined of several, it does not have.
  { name: 'emoji', pattern: /^\p{Extended_Pictographic}\ufe0f?$/u, package: 'fonts-symbola' },
]

/**
 * Which fonts to install for characters without a shape: "To print Thai, install the package fonts-noto-core (Debian,
 * Ubuntu) where Faxdeck runs." Empty when no package is known to have them.
 */
export function fontsToInstall(missing: Iterable<string>): string {
  const characters = [...missing]
  const wanted = families.filter(({ pattern }) => characters.some((each) => pattern.test(each)))
  if (wanted.length === 0) return ''
  const list = (words: readonly string[]) => new Intl.ListFormat('en').format(words)
  const packages = [...new Set(wanted.map((family) => family.package))]
  const names = list(wanted.map(({ name }) => name))
  return `To print ${names}, install the ${packages.length === 1 ? 'package' : 'packages'} ${list(packages)} (Debian, Ubuntu) where Faxdeck runs.`
}
