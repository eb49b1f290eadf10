import { type ForeignPage, type Random, text, wordsOf } from './foreign-parts.ts'

const greek =
  'alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma tau upsilon phi chi psi omega'
const polish = 'a c d e k l m n o r s w z aogonek cacute eogonek lslash nacute oacute sacute zacute zdotaccent'

/** The names of the letters of an alphabet (Adobe Glyph List), and a font that is not embedded. */
const alphabets = {
  Polish: { font: 'P', names: polish.split(' '), face: 'TimesNewRoman' },
  Cyrillic: { font: 'Y', names: Array.from({ length: 33 }, (_, at) => `afii${10065 + at}`), face: 'Arial' },
  Greek: { font: 'G', names: greek.split(' '), face: 'TimesNewRoman' },
} as const

/** Codes of the letters begin here. */
const first = 65

/** Dictionary entries of the fonts of these alphabets. */
export const foreignAlphabets = Object.values(alphabets)
  .map(({ font, names, face }) => {
    const descriptor =
      `<</Type/FontDescriptor/FontName/${face}/Flags 32/FontBBox[-100 -200 1000 900]/ItalicAngle 0/Ascent 900` +
      '/Descent -200/CapHeight 700/StemV 80>>'
    const encoding = `<</Type/Encoding/Differences[${first}/${names.join('/')}]>>`
    const widths = `/FirstChar ${first}/LastChar ${first + names.length - 1}/Widths[${'560 '.repeat(names.length)}]`
    return `/${font}<</Type/Font/Subtype/TrueType/BaseFont/${face}${widths}/Encoding ${encoding}/FontDescriptor ${descriptor}>>`
  })
  .join('')

/** A letter in another alphabet, in a font that is not embedded. */
export function letterOf(alphabet: keyof typeof alphabets, random: Random): ForeignPage {
  const { font, names } = alphabets[alphabet]
  const size = 9 + 3 * random()
  const lines = ['0 g']
  for (let y = 730; y > 70; y -= 1.5 * size) {
    for (let x = 60; x < 480;) {
      const letters = Array.from({ length: 3 + Math.floor(6 * random()) }, () =>
        (first + Math.floor(names.length * random())).toString(16),
      )
      lines.push(`BT /${font} ${size.toFixed(2)} Tf ${x.toFixed(2)} ${y.toFixed(2)} Td <${letters.join('')}> Tj ET`)
      x += (letters.length + 1) * 0.56 * size
    }
  }
  return { content: lines.join('\n') }
}

/** A leaflet of 5 to 7 points in two typefaces, some of it gray. */
export function smallType(random: Random): ForeignPage {
  const lines: string[] = []
  for (const [left, font] of [
    [54, 'R'],
    [316, 'F1'],
  ] as const) {
    for (let y = 740; y > 60;) {
      const size = 5 + 2 * random()
      lines.push(`${random() < 0.2 ? 0.4 : 0} g ${text(font, size, left, y, wordsOf(random, 8))}`)
      y -= size * 1.2
    }
  }
  return { content: lines.join('\n') }
}
