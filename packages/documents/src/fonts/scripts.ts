/** A script whose letters change with their neighbors, or emoji: characters that only a font made for them has. */
export type Script = keyof typeof scripts

/**
 * The characters of each script, and its fonts on Linux, macOS and Windows by the beginnings of their files' names, the
 * preferred first.
 */
const scripts = {
  Thai: fontsOf('Thai', 'loma', 'garuda', 'waree', 'tlwg', 'thsarabun', 'leelawui', 'leelawad', 'tahoma', 'thonburi'),
  Lao: fontsOf('Lao', 'phetsarath', 'saysettha', 'leelawui', 'lao'),
  Khmr: fontsOf('Khmer', 'khmeros', 'leelawui', 'khmerui', 'khmer'),
  Mymr: fontsOf('Myanmar', 'padauk', 'mmrtext', 'myanmar'),
  Deva: fontsOf('Devanagari', 'lohit-devanagari', 'nirmala', 'mangal', 'gargi', 'kohinoor', 'devanagari', 'kokila'),
  Beng: fontsOf('Bengali', 'lohit-bengali', 'nirmala', 'vrinda', 'likhan', 'mukti', 'kohinoorbangla', 'bangla'),
  Guru: fontsOf('Gurmukhi', 'lohit-gurmukhi', 'nirmala', 'raavi', 'saab', 'gurmukhi'),
  Gujr: fontsOf('Gujarati', 'lohit-gujarati', 'nirmala', 'shruti', 'rekha', 'kohinoorgujarati', 'gujarati'),
  Orya: fontsOf('Oriya', 'lohit-odia', 'lohit-oriya', 'nirmala', 'kalinga', 'utkal', 'oriya'),
  Taml: fontsOf('Tamil', 'lohit-tamil', 'nirmala', 'latha', 'samyak-tamil', 'inaimathi', 'tamil'),
  Telu: fontsOf('Telugu', 'lohit-telugu', 'nirmala', 'gautami', 'pothana', 'kohinoortelugu', 'telugu'),
  Knda: fontsOf('Kannada', 'lohit-kannada', 'nirmala', 'tunga', 'kedage', 'kannada'),
  Mlym: fontsOf('Malayalam', 'lohit-malayalam', 'nirmala', 'kartika', 'rachana', 'meera', 'malayalam'),
  Sinh: fontsOf('Sinhala', 'lklug', 'nirmala', 'iskpota', 'sinhala'),
  Tibt: fontsOf('Tibetan', 'notoseriftibetan', 'ddc_uchen', 'tibetanmachine', 'himalaya', 'kailasa'),
  emoji: ['notoemoji', 'symbola', 'seguiemj', 'seguisym', 'apple symbols'],
} satisfies Record<string, readonly string[]>

function fontsOf(name: string, ...others: string[]): readonly string[] {
  const own = name.toLowerCase()
  return [`notosans${own}-regular`, `notosans${own}ui-regular`, `notoserif${own}-regular`, ...others, `notosans${own}`]
}

const emojiCharacter = /[\p{Extended_Pictographic}\p{RI}\p{EMod}]/u
const danda = /[\u0964\u0965]/
const names = (Object.keys(scripts) as Script[]).filter((name) => name !== 'emoji')
const patterns = names.map((name) => [name, new RegExp(`\\p{sc=${name}}`, 'u')] as const)

/** The letters, marks and digits of all these scripts, as the inside of a class of a regular expression. */
export const shapedLetters = `\\u0964\\u0965${names.map((name) => `\\p{sc=${name}}`).join('')}`

/** The beginnings of the names of files with fonts of a script, in lower case. */
export const fontNamesOf = (script: Script): readonly string[] => scripts[script]

export const isScript = (name: string | undefined): name is Script => name !== undefined && name in scripts

/** The script of a character, where it has fonts of its own. */
export function scriptOf(codePoint: number): Script | undefined {
  if (codePoint < 0x900) return undefined
  const character = String.fromCodePoint(codePoint)
  // The full stop of all the scripts of India.
  if (danda.test(character)) return 'Deva'
  return (
    patterns.find(([, pattern]) => pattern.test(character))?.[0] ??
    (emojiCharacter.test(character) ? 'emoji' : undefined)
  )
}
