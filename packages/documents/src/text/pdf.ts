import { deflateSync } from 'node:zlib'
import { dotsAcross, dotsDown, faxRows, faxWidth, paperPoints } from '../raster/paper.ts'
import type { Paper } from '../raster/paper.ts'
import { PdfWriter, decimal } from '../pdf/write.ts'
import type { Limits } from '../worker/limits.ts'
import { joinArabic } from './arabic.ts'
import { cellUnits, cellsOf } from './cells.ts'
import { decodeText } from './decode.ts'
import { visualOrder } from './direction.ts'
import type { Letter } from './direction.ts'
import { embedFonts, glyphOf, hex4, useGlyph } from './font.ts'
import type { UsedGlyphs } from './font.ts'
import { cell, layoutText, margin, textGrid } from './layout.ts'
import type { TextLine } from './layout.ts'

const cellPoints = (cell.width * 72) / dotsAcross
/** PDF readers advance by whole thousandths of an em: this size makes 602 of them exactly one cell. */
const fontSize = cellPoints / 0.602

const needsShaping = /[\u0590-\u08ff\u200f\ufb1d-\ufdff\ufe70-\ufefc]/
const combining = /\p{Mn}|\p{Me}/u

/** Characters set with one font from one column on, in glyph numbers; `scale` narrows them, in percent. */
interface Run {
  font: number
  column: number
  scale: number
  codes: string
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
    pdf.addPage(width, height, `/Font ${resources} 0 R`, content, '/Filter/FlateDecode')
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
    for (const run of setLine(line, columns, used)) {
      const x = left + run.column * cellPoints
      content.push(
        `/F${run.font} ${decimal(fontSize)} Tf ${decimal(run.scale)} Tz 1 0 0 1 ${decimal(x)} ${decimal(y)} Tm <${run.codes}> Tj`,
      )
    }
  })
  return Buffer.from([...content, 'ET'].join('\n'), 'latin1')
}

/** Width of the scan line in points; it lies centred on the paper. */
const faxPoints = (faxWidth * 72) / dotsAcross

function setLine(line: TextLine, columns: number, used: UsedGlyphs): Run[] {
  const letters = lettersInOrder(line)
  const cells = letters.map((letter) => cellsOf(letter.codePoint) ?? 0)
  let column = line.rightToLeft ? columns - cells.reduce((sum, across) => sum + across, 0) : 0
  const runs: Run[] = []
  letters.forEach((letter, index) => {
    const across = cells[index]!
    for (const codePoint of [letter.codePoint, ...letter.marks]) {
      addGlyph(runs, codePoint, column, across, used)
    }
    column += across
  })
  return runs
}

/** Appends a glyph to the last run when it stands in the next column, else begins a run. Invisible characters are none. */
function addGlyph(runs: Run[], codePoint: number, column: number, across: number, used: UsedGlyphs): void {
  const found = across === 0 && !combining.test(String.fromCodePoint(codePoint)) ? undefined : glyphOf(codePoint)
  if (!found) return
  useGlyph(used, found.font, found.glyph, codePoint)
  const code = hex4(found.glyph)
  const last = runs.at(-1)
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
  return needsShaping.test(line.text) ? shape(line) : lettersOf(line.text)
}

function shape(line: TextLine): Letter[] {
  const joined = joinArabic(lettersOf(line.text), (codePoint) => cellsOf(codePoint) !== undefined)
  return visualOrder(joined, line.rightToLeft)
}

/** Characters with the combining marks that follow them; a mark without a character before it stands alone. */
function lettersOf(text: string): Letter[] {
  const letters: Letter[] = []
  for (const character of text) {
    const codePoint = character.codePointAt(0) ?? 0
    const base = letters.at(-1)
    if (base && codePoint > 0x2ff && combining.test(character)) base.marks.push(codePoint)
    else letters.push({ codePoint, marks: [] })
  }
  return letters
}
