import { checkPages, type Limits } from '../base/limits.ts'
import { faxRows, faxWidth, type Paper } from '../raster/paper.ts'
import { DocumentProblem } from '../base/problem.ts'
import { chooseFonts } from '../fonts/system-fonts.ts'
import { cellsInEm, cellsOf, wholeCells } from './cells.ts'
import { needsShaping, type Stretch, stretchesOf, wordStarts } from './clusters.ts'
import { fontsToInstall } from '../fonts/font-packages.ts'
import { nameOf } from './decode.ts'
import { isRightToLeft } from './direction.ts'
import { shapeStretch } from './shaping.ts'

/**
 * The grid text is set on, in pixels and rows of a fine page: 12 characters an inch across. Whole pixels, and rows that
 * stay whole at half the resolution, make every letter look the same on the page, which also compresses best.
 */
export const cell = { width: 17, height: 32, baseline: 24 }

/** White space around the text: 150 pixels or more left and right, 148 rows above and below. */
export const margin = { across: 150, down: 148 }

const tabStop = 8

/** One line of a page; `rightToLeft` when its paragraph begins with a right-to-left character. */
export interface TextLine {
  text: string
  rightToLeft: boolean
}

/** Characters across and lines down that fit on a paper. */
export function textGrid(paper: Paper): { columns: number; lines: number } {
  return {
    columns: Math.floor((faxWidth - 2 * margin.across) / cell.width),
    lines: Math.floor((faxRows(paper, 'fine') - 2 * margin.down) / cell.height),
  }
}

const lineEnd = /\r\n|[\n\r\f\u2028\u2029]/g
const plain = /^[\x20-\x7e]*$/

/**
 * Lays text out in pages of lines: wrapped at spaces where there are any and never cut, tabs to every eighth column, a
 * form feed begins a page. Blank lines at the end make no page. Throws `too_many_pages` as soon as the limit is passed
 * and `unsupported` when a character has no shape in any font. Takes time and memory proportional to the text.
 */
export function layoutText(text: string, paper: Paper, limits: Limits): TextLine[][] {
  chooseFonts(text)
  const { columns, lines } = textGrid(paper)
  const missing = new Set<string>()
  let page: TextLine[] = []
  const pages = [page]
  const turnPage = () => {
    pages.push((page = []))
    checkPages(pages.length, limits)
  }
  for (const { paragraph, endsPage } of paragraphsOf(text.trimEnd())) {
    const rightToLeft = isRightToLeft(paragraph)
    // A form feed on a line of its own ends the page without making a blank line.
    for (const line of endsPage && paragraph === '' ? [] : wrap(paragraph, columns, missing)) {
      if (page.length === lines) turnPage()
      page.push({ text: line, rightToLeft })
    }
    if (endsPage) turnPage()
  }
  if (missing.size > 0) {
    throw new DocumentProblem('unsupported', `The text has ${namesOf(missing, 'send the document as PDF')}`)
  }
  return pages
}

function* paragraphsOf(text: string): Generator<{ paragraph: string; endsPage: boolean }> {
  let start = 0
  for (const { 0: end, index } of text.matchAll(lineEnd)) {
    yield { paragraph: text.slice(start, index), endsPage: end === '\f' }
    start = index + end.length
  }
  yield { paragraph: text.slice(start), endsPage: false }
}

/** What is set as one in a line. */
interface Piece {
  text: string
  /** Not a whole number inside a shaped word. */
  cells: number
  startsOnGrid: boolean
  /** Whether a line may end before it though no space does. */
  mayBreak: boolean
}

/** Breaks a paragraph after the last space or word that fits, or inside a word that is longer than a line. */
function* wrap(paragraph: string, columns: number, missing: Set<string>): Generator<string> {
  if (paragraph.length <= columns && plain.test(paragraph)) {
    yield paragraph
    return
  }
  let line = ''
  let column = 0
  let inked = false
  let gap = { length: 0, column: 0 }
  for (const { text, cells, startsOnGrid, mayBreak } of piecesOf(paragraph.normalize('NFC'), missing)) {
    if (startsOnGrid) column = wholeCells(column)
    if (text === ' ' || text === '\t') {
      // White space that reaches beyond the edge is not seen and need not be kept.
      const wanted = text === ' ' ? 1 : tabStop - (column % tabStop)
      const spaces = Math.max(0, Math.min(wanted, columns - column))
      line += ' '.repeat(spaces)
      column += spaces
      if (inked) gap = { length: line.length, column }
      continue
    }
    if (mayBreak && inked) gap = { length: line.length, column }
    if (wholeCells(column + cells) > columns) {
      const cut = gap.length > 0 ? gap : { length: line.length, column }
      yield line.slice(0, cut.length).trimEnd()
      line = line.slice(cut.length)
      column -= cut.column
      gap = { length: 0, column: 0 }
    }
    line += text
    column += cells
    inked = true
  }
  yield line.trimEnd()
}

/** The characters of a paragraph, and the clusters of what is shaped; those without a shape are put into `missing`. */
function* piecesOf(paragraph: string, missing: Set<string>): Generator<Piece> {
  const stretches: Stretch[] = needsShaping(paragraph) ? stretchesOf(paragraph) : [{ text: paragraph, kind: 'plain' }]
  for (const [index, stretch] of stretches.entries()) {
    const follows = stretches.slice(Math.max(0, index - 2), index).some(({ isJoined }) => isJoined)
    if (stretch.kind === 'plain') {
      for (const character of stretch.text) {
        yield { text: character, cells: cellsAcross(character, missing), startsOnGrid: !follows, mayBreak: false }
      }
      continue
    }
    const starts = wordStarts(stretch.text)
    let at = 0
    for (const { text, glyphs, advance } of shapeStretch(stretch, true)) {
      if (!glyphs) missing.add(text)
      const cells = stretch.kind === 'emoji' ? wholeCells(advance * cellsInEm) : advance * cellsInEm
      yield { text, cells: glyphs ? cells : 1, startsOnGrid: at === 0 && !follows, mayBreak: at > 0 && starts.has(at) }
      at += text.length
    }
  }
}

/** Cells of a character; one without a shape counts as one and is put into `missing`. */
function cellsAcross(character: string, missing: Set<string>): number {
  if (character === '\t') return 1
  const cells = cellsOf(character.codePointAt(0) ?? 0)
  if (cells === undefined) missing.add(character)
  return cells ?? 1
}

/** "characters that the fax font cannot draw: 漢 (U+6F22).", at most five of them named, and what to do. */
export function namesOf(missing: ReadonlySet<string>, otherwise: string): string {
  const named = [...missing].slice(0, 5).map(nameOf)
  const more = missing.size > named.length ? ` and ${missing.size - named.length} more` : ''
  const help = fontsToInstall(missing)
  const advice = help === '' ? capital(otherwise) : `${help} Or ${otherwise}`
  return `characters that the fax font cannot draw: ${named.join(', ')}${more}. ${advice}.`
}

const capital = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1)
