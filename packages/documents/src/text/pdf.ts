import { deflateSync } from 'node:zlib'
import { dotsAcross, dotsDown, faxRows, faxWidth, type Paper, paperPoints } from '../raster/paper.ts'
import { PdfWriter, decimal } from '../pdf-file/write.ts'
import type { Limits } from '../base/limits.ts'
import { joinArabic } from './arabic.ts'
import { cellUnits, cellsInEm, cellsOf, wholeCells } from './cells.ts'
import { needsShaping, type Stretch, stretchesOf } from './clusters.ts'
import { decodeText } from './decode.ts'
import { type Letter, visualOrder } from './direction.ts'
import { embedFonts, glyphOf, hex4, standsFor, type UsedGlyphs, useGlyph } from './font.ts'
import { cell, layoutText, margin, textGrid, type TextLine } from './layout.ts'
import { shapeStretch } from './shaping.ts'

const cellPoints = (cell.width * 72) / dotsAcross
/** PDF readers advance by whole thousandths of an em: this size makes 602 of them exactly one cell. */
const fontSize = cellPoints / 0.602

const rightToLeft = /[\u0590-\u08ff\u200f\ufb1d-\ufdff\ufe70-\ufefc]/
const combining = /\p{Mn}|\p{Me}/u

/** Characters set with one font from one column on, in glyph numbers; `scale` narrows them, in percent. */
interface Run {
  font: number
  column: number
  scale: number
  codes: string
  /** Above the baseline, in ems. */
  raise?: number
  /** Of the size of the type. */
  size?: number
}

/** A shaped stretch: its runs, and the text that they stand for together. */
interface Word {
  text: string
  runs: Run[]
}

/**
 * Sets a text as a PDF with the fonts embedded, pixel for pixel on the grid of the fax page. Throws what `decodeText`
 * and `layoutText` throw.
 */
export function textToPdf(bytes: Uint8Array, paper: Paper, limits: Limits): Uint8Array {
  const pages = layoutText(decodeText(bytes), paper, limits)
  const pdf = new PdfWriter()
  const used: UsedGlyphs = new Map()
  const resources = pdf.reserve()
  const { width, height } = paperPoints[paper]
  for (const lines of pages) {
    const content = deflateSync(setPage(lines, paper, used), { level: 1 })
    pdf.addPage(width, height, `/Font ${resources} 0 R`, content, { contentEntries: '/Filter/FlateDecode' })
  }
  embedFonts(pdf, used, resources)
  return pdf.finish()
}

function setPage(lines: readonly TextLine[], paper: Paper, used: UsedGlyphs): Buffer {
  const { columns } = textGrid(paper)
  const left = ((faxWidth - columns * cell.width) / 2) * (72 / dotsAcross) + (paperPoints[paper].width - faxPoints) / 2
  const rows = faxRows(paper, 'fine')
  const content = ['BT']
  lines.forEach((line, index) => {
    const y = ((rows - margin.down - cell.baseline - index * cell.height) * 72) / dotsDown.fine
    const show = ({ font, column, scale, codes, raise = 0, size = 1 }: Run) => {
      const [x, above] = [left + column * cellPoints, y + raise * fontSize]
      return `/F${font} ${decimal(fontSize * size)} Tf ${decimal(scale)} Tz 1 0 0 1 ${decimal(x)} ${decimal(above)} Tm <${codes}> Tj`
    }
    for (const set of setLine(line, columns, used)) {
      content.push('runs' in set ? standsFor(set.text, set.runs.map(show)) : show(set))
    }
  })
  return Buffer.from([...content, 'ET'].join('\n'), 'latin1')
}

/** Width of the scan line in points; it lies centered on the paper. */
const faxPoints = (faxWidth * 72) / dotsAcross

function setLine(line: TextLine, columns: number, used: UsedGlyphs): (Run | Word)[] {
  const letters = lettersInOrder(line)
  const cells = letters.map(cellsOfLetter)
  let column = line.rightToLeft ? columns - cells.reduce((sum, across) => sum + across, 0) : 0
  const set: (Run | Word)[] = []
  letters.forEach(({ codePoint, marks, stretch }, index) => {
    const across = cells[index]!
    if (stretch) set.push(setStretch(stretch, column, used))
    else for (const each of [codePoint, ...marks]) addGlyph(set, each, column, across, used)
    column += across
  })
  return set
}

function cellsOfLetter({ codePoint, stretch }: Letter): number {
  if (!stretch) return cellsOf(codePoint) ?? 0
  return stretch.isJoined ? cellsOfStretch(stretch) : wholeCells(cellsOfStretch(stretch))
}

/** The cells that a shaped stretch would fill, not rounded: inside it every letter is as wide as its font has it. */
function cellsOfStretch(stretch: Stretch): number {
  return shapeStretch(stretch, true).reduce((sum, { advance }) => sum + advance * cellsInEm, 0)
}

function setStretch(stretch: Stretch, column: number, used: UsedGlyphs): Word {
  const runs: Run[] = []
  let at = column
  for (const { font, glyph, text, advance, x, y, scale } of shapeStretch(stretch, true).flatMap(
    ({ glyphs }) => glyphs ?? [],
  )) {
    useGlyph(used, font, glyph, text)
    runs.push({ font, column: at + x * cellsInEm, scale: 100, codes: hex4(glyph), raise: y, size: scale })
    at += advance * cellsInEm
  }
  return { text: stretch.text, runs }
}

/** Appends a glyph to the last run when it stands in the next column, else begins a run. Invisible characters are none. */
function addGlyph(runs: (Run | Word)[], codePoint: number, column: number, across: number, used: UsedGlyphs): void {
  const found = across === 0 && !combining.test(String.fromCodePoint(codePoint)) ? undefined : glyphOf(codePoint)
  if (!found) return
  useGlyph(used, found.font, found.glyph, String.fromCodePoint(codePoint))
  const code = hex4(found.glyph)
  const before = runs.at(-1)
  const last = before && 'codes' in before ? before : undefined
  if (found.font === 0) {
    if (last?.font === 0 && last.column + last.codes.length / 4 === column) last.codes += code
    else runs.push({ font: 0, column, scale: 100, codes: code })
    return
  }
  const narrowed = Math.min(1, (Math.max(1, across) * cellUnits) / Math.max(1, found.advance))
  const inset = (across - (found.advance * narrowed) / cellUnits) / 2
  runs.push({ font: found.font, column: column + inset, scale: 100 * narrowed, codes: code })
}

/** The characters of a line from left to right as they are set, Arabic ones joined. */
export function lettersInOrder(line: TextLine): Letter[] {
  return rightToLeft.test(line.text) ? inOrder(line) : lettersOf(line.text)
}

function inOrder(line: TextLine): Letter[] {
  const joined = joinArabic(lettersOf(line.text), (codePoint) => cellsOf(codePoint) !== undefined)
  return visualOrder(joined, line.rightToLeft)
}

/** Characters with the combining marks that follow them, and shaped stretches; a mark without a character stands alone. */
export function lettersOf(text: string): Letter[] {
  if (!needsShaping(text)) return plainLetters(text)
  return stretchesOf(text).flatMap((stretch) =>
    stretch.kind === 'plain'
      ? plainLetters(stretch.text)
      : [{ codePoint: stretch.text.codePointAt(0) ?? 0, marks: [], stretch }],
  )
}

function plainLetters(text: string): Letter[] {
  const letters: Letter[] = []
  for (const character of text) {
    const codePoint = character.codePointAt(0) ?? 0
    const base = letters.at(-1)
    if (base && codePoint > 0x2ff && combining.test(character)) base.marks.push(codePoint)
    else letters.push({ codePoint, marks: [] })
  }
  return letters
}
