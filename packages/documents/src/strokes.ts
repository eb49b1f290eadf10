import type { Grey } from './grey-tiles.ts'
import type { Resolution } from './paper.ts'

/** An area of pixels, at most 32 across and 16 down; ends excluded. */
export interface Area {
  left: number
  top: number
  right: number
  bottom: number
}

/** Lowest and highest tone of marks. */
export interface Range {
  from: number
  to: number
}

/** Pixels across and rows down. */
interface Measure {
  across: number
  down: number
}

/** How wide and how long marks are: a stroke of a letter is neither wider nor longer, and a line is narrower. */
export interface StrokeSize {
  wide: Measure
  long: Measure
  line: Measure
}

/** Letters of up to 0.9 inch with strokes of up to 0.12; lines of up to 0.03. */
export const strokeSize: Record<Resolution, StrokeSize> = {
  fine: { wide: { across: 24, down: 24 }, long: { across: 184, down: 176 }, line: { across: 6, down: 6 } },
  standard: { wide: { across: 24, down: 12 }, long: { across: 184, down: 88 }, line: { across: 6, down: 3 } },
}

/** One word a row, the leftmost pixel in bit 31: pixels that are marks of each sort. */
const found = { strokes: new Int32Array(16), lines: new Int32Array(16) }

/** Pixels in runs that are no longer than each measure, row by row, along rows and along columns. */
const short = {
  across: { line: new Int32Array(16), wide: new Int32Array(16), long: new Int32Array(16) },
  down: { line: new Int32Array(16), wide: new Int32Array(16), long: new Int32Array(16) },
}

/**
 * Finds the marks among the pixels of an area whose tones lie in `range`. Strokes are narrow one way and not long the
 * other way, as those of letters are; lines are very narrow and of any length. What reaches further both ways, as
 * grounds, bars and the gaps between them do, is neither. With `onlyStrokes` no lines are looked for, which is quicker.
 * The answer is good until the next call.
 */
export function findMarks(grey: Grey, area: Area, range: Range, size: StrokeSize, onlyStrokes = false): typeof found {
  for (const runs of [short.across, short.down]) for (const rows of Object.values(runs)) rows.fill(0)
  markRows(grey, area, range, size)
  const { across, down } = short
  markColumns(grey, area, range, size, onlyStrokes ? across.long : undefined)
  for (let row = 0; row < 16; row++) {
    const narrow = across.wide[row]! | down.wide[row]!
    found.strokes[row] = across.long[row]! & down.long[row]! & narrow
    found.lines[row] = across.line[row]! | down.line[row]!
  }
  return found
}

/** The length of the run of a range around a place with `before` and `after` pixels beside it; at most `most` and one. */
function runAt(
  pixels: Uint8Array,
  at: number,
  step: number,
  before: number,
  after: number,
  most: number,
  range: Range,
) {
  const { from, to } = range
  let length = 1
  for (let next = at - step; before > 0 && length <= most; before--, next -= step) {
    if (pixels[next]! < from || pixels[next]! > to) break
    length++
  }
  for (let next = at + step; after > 0 && length <= most; after--, next += step) {
    if (pixels[next]! < from || pixels[next]! > to) break
    length++
  }
  return length
}

function markRows({ pixels, width }: Grey, { left, top, right, bottom }: Area, range: Range, size: StrokeSize): void {
  const { across } = short
  const most = size.long.across
  for (let y = top; y < bottom; y++) {
    const start = y * width
    for (let x = left; x < right; x++) {
      const tone = pixels[start + x]!
      if (tone < range.from || tone > range.to) continue
      const length = runAt(pixels, start + x, 1, x, width - 1 - x, most, range)
      let bits = 0
      // The rest of the run in this area shares its length.
      for (; x < right && pixels[start + x]! >= range.from && pixels[start + x]! <= range.to; x++) {
        bits |= 1 << (31 - (x - left))
      }
      if (length <= size.line.across) across.line[y - top]! |= bits
      if (length <= size.wide.across) across.wide[y - top]! |= bits
      if (length <= most) across.long[y - top]! |= bits
    }
  }
}

/** Looks only at columns with a pixel that is set in `wanted`, where that is given. */
function markColumns(
  grey: Grey,
  { left, top, right, bottom }: Area,
  range: Range,
  size: StrokeSize,
  wanted?: Int32Array,
): void {
  const { pixels, width, height } = grey
  const { down } = short
  const most = size.long.down
  let columns = wanted ? 0 : -1
  for (const row of wanted ?? []) columns |= row
  for (let x = left; x < right; x++) {
    const bit = 1 << (31 - (x - left))
    if ((columns & bit) === 0) continue
    for (let y = top; y < bottom; y++) {
      const tone = pixels[y * width + x]!
      if (tone < range.from || tone > range.to) continue
      const length = runAt(pixels, y * width + x, width, y, height - 1 - y, most, range)
      for (; y < bottom && pixels[y * width + x]! >= range.from && pixels[y * width + x]! <= range.to; y++) {
        if (length <= size.line.down) down.line[y - top]! |= bit
        if (length <= size.wide.down) down.wide[y - top]! |= bit
        if (length <= most) down.long[y - top]! |= bit
      }
    }
  }
}

/** The number of bits that are set in words. */
export function countBits(words: Int32Array): number {
  let count = 0
  for (const word of words) {
    let bits = word - ((word >>> 1) & 0x55555555)
    bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333)
    count += (((bits + (bits >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24
  }
  return count
}
