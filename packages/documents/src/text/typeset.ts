import { deflateSync } from 'node:zlib'
import { addImage, decimal, type PdfImage, PdfWriter } from '../pdf-file/write.ts'
import { advanceOf, unitsPerEm } from '../fonts/font.ts'
import { chooseFonts, systemGlyph } from '../fonts/system-fonts.ts'
import { codeName } from './decode.ts'
import { embedFonts, hex4, openTextFonts, standsFor, type UsedGlyphs, useGlyph } from './font.ts'
import { clustersOf, needsShaping, type Stretch, stretchesOf, wordStarts } from './clusters.ts'
import { lettersInOrder } from './pdf.ts'
import { shapeStretch } from './shaping.ts'

/** Where and how a piece of text stands: points from the lower left corner of the page to the beginning of its baseline. */
export interface Place {
  x: number
  y: number
  /** Of the type, in points. */
  size: number
  bold?: boolean
  /** Of the paragraph that it is a line of. */
  rightToLeft?: boolean
  /** Every letter as wide as the others. */
  fixed?: boolean
}

interface Shape {
  font: number
  glyph: number
  text: string
  /** In ems. */
  advance: number
  /** Where it stands, in ems from where the pen does, when shaping placed it. */
  x?: number
  y?: number
}

/** Shapes with what they stand for together, when that is more than what each stands for. */
interface ShapedText {
  text?: string
  shapes: Shape[]
}

/** `textFonts` has the proportional face second. */
const fontOrders = { proportional: [1, 0], fixed: [0, 1] }
/** Strokes around bold letters, in ems. */
const boldStroke = 0.035
const blank = /\s/u
const unseen = /[\s\u200b-\u200f\u2060\ufeff]/u
const invisible = /\p{Default_Ignorable_Code_Point}/u
/** Where a line may end: after spaces, and between characters of scripts that are written without any. */
const breaks = /(?<= )(?=[^ ])|(?<=[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}])(?=[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}])/u

/**
 * The characters of a text that no font can show, neither a bundled one nor one of the system; those that are set as one
 * are one string. The fonts for its region are used from here on.
 */
export function missingShapes(text: string): string[] {
  chooseFonts(text)
  const missing = new Set<string>()
  const normal = text.normalize('NFC')
  for (const { text: part, kind } of needsShaping(normal) ? stretchesOf(normal) : [plainStretch(normal)]) {
    if (kind === 'plain') {
      for (const character of new Set(part)) {
        if (!unseen.test(character) && !shapeOf(character)) missing.add(character)
      }
      continue
    }
    for (const cluster of shapeStretch({ text: part, kind }, false)) if (!cluster.glyphs) missing.add(cluster.text)
  }
  return [...missing]
}

const plainStretch = (text: string): Stretch => ({ text, kind: 'plain' })

function shapeOf(text: string, fixed = false): Shape | undefined {
  const codePoint = text.codePointAt(0) ?? 0
  const fonts = openTextFonts()
  for (const font of fontOrders[fixed ? 'fixed' : 'proportional']) {
    const opened = fonts[font]!
    const glyph = opened.glyphs.get(codePoint)
    if (glyph !== undefined) return { font, glyph, text, advance: advanceOf(opened, glyph) / opened.unitsPerEm }
  }
  const found = systemGlyph(codePoint)
  if (!found) return undefined
  return { font: fonts.length + found.index, glyph: found.glyph, text, advance: found.advance / unitsPerEm }
}

/** A character that no font has is named by its code, so that it is not lost. */
function shapesFor(character: string, fixed: boolean): Shape[] {
  const shape = shapeOf(character, fixed)
  if (shape) return [shape]
  if (invisible.test(character)) return []
  return blank.test(character) ? shapesOfAscii(' ') : shapesOfAscii(`[${codeName(character)}]`)
}

const shapesOfAscii = (text: string): Shape[] => Array.from(text).flatMap((letter) => shapeOf(letter) ?? [])

function shapeText(text: string, { rightToLeft = false, fixed = false } = {}): ShapedText[] {
  return lettersInOrder({ text: text.normalize('NFC'), rightToLeft }).map(({ codePoint, marks, stretch }) => {
    if (!stretch) {
      return { shapes: [codePoint, ...marks].flatMap((each) => shapesFor(String.fromCodePoint(each), fixed)) }
    }
    const clusters = shapeStretch(stretch, fixed)
    const shapes = clusters.flatMap(({ text: own, glyphs }) => glyphs ?? shapesOfAscii(`[${codeName(own)}]`))
    return clusters.every(({ glyphs }) => glyphs) ? { text: stretch.text, shapes } : { shapes }
  })
}

const shapesOf = (text: string, set?: { rightToLeft?: boolean; fixed?: boolean }): Shape[] =>
  shapeText(text, set).flatMap(({ shapes }) => shapes)

/** Letters whose widths never depend on their neighbors, nor on the fonts of the system. */
const latin = /^[ -~\u00a1-\u00ac\u00ae-\u017f]*$/
/** Their advances in ems, by code point. */
const latinAdvances: number[] = []

function latinWidth(text: string): number {
  let width = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    width += latinAdvances[code] ??= shapesFor(text[at]!, false).reduce((sum, { advance }) => sum + advance, 0)
  }
  return width
}

/** Width of a text in points. */
export function widthOf(text: string, size: number, fixed = false): number {
  if (!fixed && latin.test(text)) return latinWidth(text) * size
  return shapesOf(text, { fixed }).reduce((sum, { advance }) => sum + advance * size, 0)
}

/** The text, or as much of its beginning as fits on `width` points, with an ellipsis. */
export function shorten(text: string, size: number, width: number): string {
  if (widthOf(text, size) <= width) return text
  const kept = clustersOf(text)
  while (kept.length > 0 && widthOf(`${kept.join('')}…`, size) > width) kept.pop()
  return `${kept.join('').trimEnd()}…`
}

/** Breaks a text at its line ends, at spaces and between ideographs, and words that are longer than a line anywhere, so that nothing is lost. */
export function wrapText(text: string, size: number, width: number): string[] {
  return text.split(/\r\n|[\n\r\f\u2028\u2029]/).flatMap((paragraph) => {
    const lines: string[] = []
    let line = ''
    const words = paragraph.replaceAll('\t', '    ').split(breaks).flatMap(splitWords)
    for (const word of words.flatMap((long) => cutWord(long, size, width))) {
      if (line !== '' && widthOf((line + word).trimEnd(), size) > width) {
        lines.push(line.trimEnd())
        line = ''
      }
      line += word
    }
    return [...lines, line.trimEnd()]
  })
}

/** Cuts where words begin that are written without spaces. */
function splitWords(text: string): string[] {
  const starts = [...wordStarts(text)]
  return starts.length > 0 ? starts.map((start, index) => text.slice(start, starts[index + 1])) : [text]
}

function cutWord(word: string, size: number, width: number): string[] {
  if (widthOf(word.trimEnd(), size) <= width) return [word]
  const pieces: string[] = []
  let piece = ''
  for (const character of clustersOf(word)) {
    if (piece !== '' && widthOf(piece + character, size) > width) {
      pieces.push(piece)
      piece = ''
    }
    piece += character
  }
  return [...pieces, piece]
}

/** Sets pages of proportional type, rules and pictures as a PDF with its fonts embedded. */
export class Typesetter {
  readonly #pdf = new PdfWriter()
  readonly #fonts = this.#pdf.reserve()
  readonly #used: UsedGlyphs = new Map()
  #content: string[] = []
  #pictures: string[] = []

  /** Characters without a shape are named by their codes: refuse them before where that must not be. */
  write(text: string, { x, y, size, bold = false, rightToLeft = false, fixed = false }: Place): void {
    this.#content.push(`BT ${bold ? `2 Tr ${decimal(size * boldStroke)} w` : '0 Tr'}`)
    let at = x
    const plain: Shape[] = []
    const endPlain = () => {
      const { operators, end } = this.#show(plain.splice(0), at, y, size)
      this.#content.push(...operators)
      at = end
    }
    for (const { text: whole, shapes } of shapeText(text, { rightToLeft, fixed })) {
      if (whole === undefined) {
        plain.push(...shapes)
        continue
      }
      endPlain()
      const { operators, end } = this.#show(shapes, at, y, size)
      this.#content.push(standsFor(whole, operators))
      at = end
    }
    endPlain()
    this.#content.push('ET')
  }

  /** Operators that show shapes from `at` on, and where they end: those of one font together unless shaping placed them. */
  #show(shapes: readonly Shape[], at: number, y: number, size: number): { operators: string[]; end: number } {
    const operators: string[] = []
    let pen = at
    for (let from = 0; from < shapes.length;) {
      const { font, x = 0, y: above = 0 } = shapes[from]!
      let to = from + 1
      while (shapes[from]!.x === undefined && shapes[to]?.font === font && shapes[to]!.x === undefined) to++
      const run = shapes.slice(from, to)
      for (const shape of run) useGlyph(this.#used, font, shape.glyph, shape.text)
      const codes = run.map(({ glyph }) => hex4(glyph)).join('')
      const place = `${decimal(pen + x * size)} ${decimal(y + above * size)}`
      operators.push(`/F${font} ${decimal(size)} Tf 1 0 0 1 ${place} Tm <${codes}> Tj`)
      pen += run.reduce((sum, { advance }) => sum + advance * size, 0)
      from = to
    }
    return { operators, end: pen }
  }

  /** A black bar with its lower left corner at `x`, `y`. */
  bar(x: number, y: number, width: number, height: number): void {
    this.#content.push(`${[x, y, width, height].map(decimal).join(' ')} re f`)
  }

  /** An empty box. */
  box(x: number, y: number, width: number, height: number): void {
    this.#content.push(`0.75 w ${[x, y, width, height].map(decimal).join(' ')} re S`)
  }

  /** Lines and areas, by operators of their own (ISO 32000-1, 8.5). */
  draw(operators: string): void {
    this.#content.push(operators)
  }

  /** A picture that is drawn more than once. */
  keep(image: PdfImage): number {
    return addImage(this.#pdf, image)
  }

  /** A picture, or one that was kept, with its lower left corner at `x`, `y`. */
  picture(image: PdfImage | number, x: number, y: number, width: number, height: number): void {
    const name = `/I${this.#pictures.length}`
    this.#pictures.push(`${name} ${typeof image === 'number' ? image : this.keep(image)} 0 R`)
    this.#content.push(`q ${[width, 0, 0, height, x, y].map(decimal).join(' ')} cm ${name} Do Q`)
  }

  /** Ends the page: what was set since the last one stands on it. */
  endPage(width: number, height: number): void {
    const content = deflateSync(this.#content.join('\n'), { level: 1 })
    const pictures = this.#pictures.length > 0 ? `/XObject<<${this.#pictures.join('')}>>` : ''
    this.#pdf.addPage(width, height, `/Font ${this.#fonts} 0 R${pictures}`, content, {
      contentEntries: '/Filter/FlateDecode',
    })
    this.#content = []
    this.#pictures = []
  }

  /** The whole file. */
  finish(): Uint8Array {
    embedFonts(this.#pdf, this.#used, this.#fonts)
    return this.#pdf.finish()
  }
}
