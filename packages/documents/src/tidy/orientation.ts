import { type Bitmap, createBitmap } from '../raster/bitmap.ts'
import { countWords } from './skew.ts'

/** Quarter turns to the right that set a page upright. */
export type Turns = 0 | 1 | 2 | 3

/** How many lines of writing must be seen, and which share of them must say the same. */
const fewestLines = 8
const agreeing = 0.75
/** How much more sharply lines must alternate along the side of the page than across it before it counts as lying. */
const sideways = 1.5
/** A row belongs to the body of a line when it has this share of the ink of the strongest row near it. */
const bodyShare = 0.4
/** A stroke above or below must have this share of the ink of a row of the body to be one. */
const strokeShare = 0.02

/** Rows an inch. */
const finestNeeded = 150

interface Dots {
  across: number
  down: number
}

/**
 * Ink of each row, without what is black over a whole word of the bitmap, and beside it: rules, boxes and pictures. The
 * ends of rules below lines would else be strokes that hang.
 */
function inkOfRows(page: Bitmap): Int32Array {
  const { height, rowWords, words } = page
  const counts = countWords(page)
  const ink = new Int32Array(height)
  for (let y = 0; y < height; y++) {
    for (let at = y * rowWords; at < (y + 1) * rowWords; at++) {
      const isRule = words[at] === -1 || words[at - 1] === -1 || words[at + 1] === -1
      if (!isRule) ink[y]! += counts[at]!
    }
  }
  return ink
}

/** How sharply rows of ink and of paper alternate, over a distance of 2 points. */
function sharpness(ink: Int32Array, rowsAnInch: number): number {
  const step = Math.max(1, Math.round(rowsAnInch / 36))
  let [sum, total] = [0, 1]
  for (let y = step; y < ink.length; y++) {
    sum += (ink[y]! - ink[y - step]!) ** 2
    total += ink[y]! ** 2
  }
  return sum / total
}

/** Each row as the mean of itself and its neighbors: thin strokes within small letters leave rows with little ink. */
function smoothed(ink: Int32Array, reach: number): Int32Array {
  return ink.map((_, y) => {
    const around = ink.subarray(Math.max(0, y - reach), y + reach + 1)
    return around.reduce((a, b) => a + b, 0) / around.length
  })
}

/** The bodies of lines of writing, from their first to behind their last row: the small letters from 5 to 30 points. */
function bodiesOf(ink: Int32Array, rowsAnInch: number): [number, number][] {
  const [least, max, near] = [rowsAnInch / 36, rowsAnInch / 4, Math.round(rowsAnInch / 8)]
  const strongest = (y: number) => ink.subarray(Math.max(0, y - near), y + near).reduce((a, b) => Math.max(a, b), 0)
  const bodies: [number, number][] = []
  let top = -1
  for (let y = 0; y <= ink.length; y++) {
    const isBody = y < ink.length && ink[y]! > 8 && ink[y]! >= bodyShare * strongest(y)
    if (isBody && top < 0) top = y
    if (isBody || top < 0) continue
    if (y - top >= least && y - top <= max) bodies.push([top, y])
    top = -1
  }
  return bodies
}

/** How high the small letters of most lines of an upright page are, in rows; 0 where it has no lines. */
export function letterRows(page: Bitmap, rowsAnInch: number): number {
  const bodies = bodiesOf(smoothed(inkOfRows(page), Math.round(rowsAnInch / 98)), rowsAnInch)
  return bodies.map(([top, bottom]) => bottom - top).toSorted((a, b) => a - b)[bodies.length >> 1] ?? 0
}

/** Lines that rise above their body more than they hang below it, and those that do the opposite. */
function votesOf(ink: Int32Array, rowsAnInch: number): { rising: number; hanging: number } {
  const votes = { rising: 0, hanging: 0 }
  const bodies = bodiesOf(smoothed(ink, Math.round(rowsAnInch / 98)), rowsAnInch)
  for (const [at, [top, bottom]] of bodies.entries()) {
    const reach = Math.round((bottom - top) * 0.6)
    const before = bodies[at - 1]?.[1] ?? 0
    const after = bodies[at + 1]?.[0] ?? ink.length
    const rows = Math.min(reach, (top - before) >> 1, (after - bottom) >> 1)
    if (rows < 2) continue
    const sum = (from: number, to: number) => ink.subarray(from, to).reduce((a, b) => a + b, 0)
    // The row next to the body still has its rounded ends.
    const [above, below] = [sum(top - rows, top - 1), sum(bottom + 1, bottom + rows)]
    const stroke = (strokeShare * (rows - 1) * sum(top, bottom)) / (bottom - top)
    if (above > 1.5 * below && above > stroke) votes.rising += 1
    if (below > 1.5 * above && below > stroke) votes.hanging += 1
  }
  return votes
}

/** How many lines say where the top is, and whether they stand upright; undefined when they do not say it clearly. */
function verdictOf(ink: Int32Array, rowsAnInch: number): { lines: number; isUpright: boolean | undefined } {
  const { rising, hanging } = votesOf(ink, rowsAnInch)
  const lines = Math.max(rising, hanging)
  const isClear = lines >= fewestLines && lines >= agreeing * (rising + hanging)
  return { lines, isUpright: isClear ? rising > hanging : undefined }
}

/** How a page lies. */
export interface Lie {
  /** Those that seem right, the likeliest first. */
  turns: readonly [Turns, ...Turns[]]
  /** Its writing says it clearly. */
  isSure: boolean
}

/**
 * How a page is to be turned to stand upright. Told as by a reader who knows no letters: those of Latin, Greek and
 * Cyrillic rise above the line more often than they hang below it (B. Caprari, "Algorithm for text page up/down
 * orientation determination", 2000).
 * @param dots pixels and rows an inch
 */
export function findLie(page: Bitmap, { across, down }: Dots): Lie {
  const [rows, columns] = [inkOfRows(page), inkOfRows(turnRight(page))]
  const [straight, lying] = [verdictOf(rows, down), verdictOf(columns, across)]
  const sharper = sharpness(columns, across) / sharpness(rows, down)
  if (sharper > sideways && lying.lines > straight.lines) {
    return { turns: lying.isUpright === false ? [3, 1] : [1, 3], isSure: lying.isUpright !== undefined }
  }
  // Where as many lines seem to run down the page, what its rows say is chance. In type of one width, letters stand in columns.
  if (sharper > 1 && lying.lines >= straight.lines) return { turns: [0, 1, 3, 2], isSure: false }
  return { turns: straight.isUpright === false ? [2, 0] : [0, 2], isSure: straight.isUpright !== undefined }
}

/** The turns that set a page upright; 0 where it does not say so clearly, as at the standard resolution, whose rows are too coarse to tell. */
export function findTurns(page: Bitmap, dots: Dots): Turns {
  if (dots.down < finestNeeded) return 0
  const { turns, isSure } = findLie(page, dots)
  return isSure ? turns[0] : 0
}

/** The page rotated 90° clockwise. */
export function turnRight({ width, height, rowWords, words }: Bitmap): Bitmap {
  const turned = createBitmap(height, width)
  for (let y = 0; y < height; y++) {
    const x = height - 1 - y
    const [column, bit] = [x >>> 5, 0x80000000 >>> (x & 31)]
    for (let index = 0; index < rowWords; index++) {
      let word = words[y * rowWords + index]!
      while (word !== 0) {
        const offset = Math.clz32(word)
        turned.words[((index << 5) + offset) * turned.rowWords + column]! |= bit
        word &= ~(0x80000000 >>> offset)
      }
    }
  }
  return turned
}

/** The page rotated 180°. */
export const turnOver = (page: Bitmap): Bitmap => turned(page, 2)

/** The page after so many quarter turns to the right. */
export const turned = (page: Bitmap, turns: number): Bitmap => (turns === 0 ? page : turned(turnRight(page), turns - 1))
