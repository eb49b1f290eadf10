import { deflateSync } from 'node:zlib'
import { addImage } from '../pdf/image.ts'
import type { PdfImage } from '../pdf/image.ts'
import { PdfWriter, decimal } from '../pdf/write.ts'
import { advanceOf, unitsPerEm } from '../fonts/font.ts'
import { chooseFonts, systemGlyph } from '../fonts/system-fonts.ts'
import { codeName } from './decode.ts'
import { embedFonts, hex4, openTextFonts, useGlyph } from './font.ts'
import type { UsedGlyphs } from './font.ts'
import { lettersInOrder } from './pdf.ts'

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
  codePoint: number
  /** In ems. */
  advance: number
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
 * The characters of a text that no font can show, neither a bundled one nor one of the system. The fonts for its region
 * are used from here on.
 */
export function missingShapes(text: string): string[] {
  chooseFonts(text)
  const characters = new Set(text.normalize('NFC'))
  return [...characters].filter((character) => !unseen.test(character) && !shapeOf(character.codePointAt(0) ?? 0))
}

function shapeOf(codePoint: number, fixed = false): Shape | undefined {
  const fonts = openTextFonts()
  for (const font of fontOrders[fixed ? 'fixed' : 'proportional']) {
    const opened = fonts[font]!
    const glyph = opened.glyphs.get(codePoint)
    if (glyph !== undefined) return { font, glyph, codePoint, advance: advanceOf(opened, glyph) / opened.unitsPerEm }
  }
  const found = systemGlyph(codePoint)
  if (!found) return undefined
  return { font: fonts.length + found.index, glyph: found.glyph, codePoint, advance: found.advance / unitsPerEm }
}

/** A character that no font has is named by its code, so that it is not lost. */
function shapesFor(codePoint: number, fixed: boolean): Shape[] {
  const shape = shapeOf(codePoint, fixed)
  if (shape) return [shape]
  const character = String.fromCodePoint(codePoint)
  if (invisible.test(character)) return []
  const said = blank.test(character) ? ' ' : `[${codeName(character)}]`
  return Array.from(said).flatMap((letter) => shapeOf(letter.charCodeAt(0)) ?? [])
}

function shapesOf(text: string, { rightToLeft = false, fixed = false } = {}): Shape[] {
  const letters = lettersInOrder({ text: text.normalize('NFC'), rightToLeft })
  return letters.flatMap(({ codePoint, marks }) => [codePoint, ...marks].flatMap((each) => shapesFor(each, fixed)))
}

/** Width of a text in points. */
export function widthOf(text: string, size: number, fixed = false): number {
  return shapesOf(text, { fixed }).reduce((sum, { advance }) => sum + advance * size, 0)
}

/** The text, or as much of its beginning as fits on `width` points, with an ellipsis. */
export function shorten(text: string, size: number, width: number): string {
  if (widthOf(text, size) <= width) return text
  const kept = Array.from(text)
  while (kept.length > 0 && widthOf(`${kept.join('')}…`, size) > width) kept.pop()
  return `${kept.join('').trimEnd()}…`
}

/** Breaks a text at its line ends, at spaces and between ideographs, and words that are longer than a line anywhere, so that nothing is lost. */
export function wrapText(text: string, size: number, width: number): string[] {
  return text.split(/\r\n|[\n\r\f\u2028\u2029]/).flatMap((paragraph) => {
    const lines: string[] = []
    let line = ''
    const words = paragraph.replaceAll('\t', '    ').split(breaks)
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

function cutWord(word: string, size: number, width: number): string[] {
  if (widthOf(word.trimEnd(), size) <= width) return [word]
  const pieces: string[] = []
  let piece = ''
  for (const character of word) {
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
    const shapes = shapesOf(text, { rightToLeft, fixed })
    this.#content.push(`BT ${bold ? `2 Tr ${decimal(size * boldStroke)} w` : '0 Tr'}`)
    let at = x
    for (let from = 0; from < shapes.length;) {
      const { font } = shapes[from]!
      let to = from
      while (shapes[to]?.font === font) to++
      const run = shapes.slice(from, to)
      for (const { glyph, codePoint } of run) useGlyph(this.#used, font, glyph, codePoint)
      const codes = run.map(({ glyph }) => hex4(glyph)).join('')
      this.#content.push(`/F${font} ${decimal(size)} Tf 1 0 0 1 ${decimal(at)} ${decimal(y)} Tm <${codes}> Tj`)
      at += run.reduce((sum, { advance }) => sum + advance * size, 0)
      from = to
    }
    this.#content.push('ET')
  }

  /** A black bar with its lower left corner at `x`, `y`. */
  bar(x: number, y: number, width: number, height: number): void {
    this.#content.push(`${[x, y, width, height].map(decimal).join(' ')} re f`)
  }

  /** An empty box. */
  box(x: number, y: number, width: number, height: number): void {
    this.#content.push(`0.75 w ${[x, y, width, height].map(decimal).join(' ')} re S`)
  }

  /** A picture with its lower left corner at `x`, `y`. */
  picture(image: PdfImage, x: number, y: number, width: number, height: number): void {
    const name = `/I${this.#pictures.length}`
    this.#pictures.push(`${name} ${addImage(this.#pdf, image)} 0 R`)
    this.#content.push(`q ${[width, 0, 0, height, x, y].map(decimal).join(' ')} cm ${name} Do Q`)
  }

  /** Ends the page: what was set since the last one stands on it. */
  endPage(width: number, height: number): void {
    const content = deflateSync(this.#content.join('\n'), { level: 1 })
    const pictures = this.#pictures.length > 0 ? `/XObject<<${this.#pictures.join('')}>>` : ''
    this.#pdf.addPage(width, height, `/Font ${this.#fonts} 0 R${pictures}`, content, '/Filter/FlateDecode')
    this.#content = []
    this.#pictures = []
  }

  /** The whole file. */
  finish(): Uint8Array {
    embedFonts(this.#pdf, this.#used, this.#fonts)
    return this.#pdf.finish()
  }
}
