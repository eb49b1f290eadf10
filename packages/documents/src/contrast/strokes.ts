import { bitsIn } from '../raster/bitmap.ts'
import { blockAt, type Gray, type TileCounts } from '../raster/gray-tiles.ts'
import type { Resolution } from '../raster/paper.ts'

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
const strokeSize: Record<Resolution, StrokeSize> = {
  fine: { wide: { across: 24, down: 24 }, long: { across: 184, down: 176 }, line: { across: 6, down: 6 } },
  standard: { wide: { across: 24, down: 12 }, long: { across: 184, down: 88 }, line: { across: 6, down: 3 } },
}

/** One word a row, the leftmost pixel in bit 31: pixels that are marks of each sort. */
const found = { strokes: new Int32Array(16), lines: new Int32Array(16) }

/** The pixels whose tones lie in the range that is looked at, row by row. */
const inRange = new Int32Array(16)

/** Pixels in runs that are no longer than each measure, row by row, along rows and along columns. */
const shortRows = new Int32Array(6 * 16)
const [acrossLine, acrossWide, acrossLong, downLine, downWide, downLong] = [0, 1, 2, 3, 4, 5].map((at) =>
  shortRows.subarray(16 * at, 16 * (at + 1)),
) as SixRows
const short = {
  across: { line: acrossLine, wide: acrossWide, long: acrossLong },
  down: { line: downLine, wide: downWide, long: downLong },
}

type SixRows = [Int32Array, Int32Array, Int32Array, Int32Array, Int32Array, Int32Array]

/** A row or a column: how many pixels it has, and where they and the blocks that it passes are found. */
interface Track {
  count: number
  /** Runs that are longer are long. */
  max: number
  pixel: number
  pixelStep: number
  block: number
  blockStep: number
  /** Where its long runs stand in `#long`. */
  long: number
}

/** The marks of one page, which must not change meanwhile. */
export class Marks {
  readonly #gray: Gray
  readonly #counts: TileCounts
  readonly #size: StrokeSize
  readonly #rows: Track[]
  readonly #columns: Track[]
  /**
   * The last long runs that were found in each row and column, one of dark and one of light marks: start, end, lowest and
   * highest tone.
   */
  readonly #long: Int16Array

  constructor({ gray, counts }: { gray: Gray; counts: TileCounts }, resolution: Resolution) {
    this.#gray = gray
    this.#counts = counts
    this.#size = strokeSize[resolution]
    this.#rows = new Array<Track>(gray.height)
    this.#columns = new Array<Track>(gray.width)
    this.#long = new Int16Array(8 * (gray.height + gray.width))
  }

  /**
   * Finds the marks among the pixels of an area whose tones lie in `range`. Strokes are narrow one way and not long the
   * other way, as those of letters are; lines are very narrow and of any length. What reaches further both ways, as
   * grounds, bars and the gaps between them do, is neither. With `onlyStrokes` no lines are looked for, which is
   * quicker. The answer is good until the next call.
   */
  find(area: Area, range: Range, onlyStrokes = false): typeof found {
    this.read(area, range)
    return this.#mark(area, range, onlyStrokes)
  }

  /** Finds the marks among the pixels of the last `read`, as `find` does. */
  findRead(area: Area, range: Range): typeof found {
    return this.#mark(area, range, false)
  }

  /** Finds the strokes among the pixels of an area that the last `read` left out, all of which lie in `range`. */
  findOthers(area: Area, range: Range): typeof found {
    const all = area.right - area.left === 32 ? -1 : ~(-1 >>> (area.right - area.left))
    for (let row = 0; row < area.bottom - area.top; row++) inRange[row] = ~inRange[row]! & all
    return this.#mark(area, range, true)
  }

  #mark(area: Area, range: Range, onlyStrokes: boolean): typeof found {
    shortRows.fill(0)
    this.#markRows(area, range)
    const { across, down } = short
    this.#markColumns(area, range, onlyStrokes)
    for (let row = 0; row < 16; row++) {
      const narrow = across.wide[row]! | down.wide[row]!
      found.strokes[row] = across.long[row]! & down.long[row]! & narrow
      found.lines[row] = across.line[row]! | down.line[row]!
    }
    return found
  }

  /** The pixels of an area whose tones lie in `range`, a word a row; good until the next call. */
  read({ left, top, right, bottom }: Area, range: Range): Int32Array {
    const { pixels, width } = this.#gray
    inRange.fill(0)
    for (let y = top; y < bottom; y++) {
      let bits = 0
      for (let x = left; x < right; x++) {
        if ((x & 7) === 0 && !this.#mayBeIn(range, x, y)) x += 7
        else if (isIn(range, pixels[y * width + x]!)) bits |= 1 << (31 - (x - left))
      }
      inRange[y - top] = bits
    }
    return inRange
  }

  /** Whether any pixel of a block may lie in a range. */
  #mayBeIn({ from, to }: Range, x: number, y: number): boolean {
    const { lowest, lack } = this.#counts
    const at = blockAt(this.#counts, x, y)
    return lowest[at]! <= to && 255 - lack[at]! >= from
  }

  #markRows({ left, top, bottom }: Area, range: Range): void {
    const { line, wide, long } = this.#size
    const { across } = short
    for (let y = top; y < bottom; y++) {
      for (let rest = inRange[y - top]!; rest !== 0;) {
        const first = Math.clz32(rest)
        const end = first + Math.clz32(~(rest << first))
        const bits = rest & ~(end < 32 ? -1 >>> end : 0)
        rest &= ~bits
        const track = (this.#rows[y] ??= this.#rowOf(y))
        const length = this.#runOf(track, left + first, left + end, long.across, range)
        if (length <= line.across) across.line[y - top]! |= bits
        if (length <= wide.across) across.wide[y - top]! |= bits
        if (length <= long.across) across.long[y - top]! |= bits
      }
    }
  }

  /** Columns of which all rows are too long for strokes may still have lines. */
  #markColumns({ left, top, bottom }: Area, range: Range, onlyStrokes: boolean): void {
    const { line, wide, long } = this.#size
    const { across, down } = short
    let strokes = 0
    for (const row of across.long) strokes |= row
    for (let first = 0; first < bottom - top; first++) {
      const starts = inRange[first]! & ~(inRange[first - 1] ?? 0)
      for (let rest = onlyStrokes ? starts & strokes : starts; rest !== 0;) {
        const x = Math.clz32(rest)
        const bit = 1 << (31 - x)
        rest &= ~bit
        let end = first + 1
        while (end < 16 && (inRange[end]! & bit) !== 0) end++
        const max = (strokes & bit) === 0 ? line.down : long.down
        const track = (this.#columns[left + x] ??= this.#columnOf(left + x))
        const length = this.#runOf(track, top + first, top + end, max, range)
        for (let row = first; row < end; row++) {
          if (length <= line.down) down.line[row]! |= bit
          if (length <= wide.down) down.wide[row]! |= bit
          if (length <= long.down) down.long[row]! |= bit
        }
      }
    }
  }

  #rowOf(y: number): Track {
    const { width } = this.#gray
    const block = (y >> 3) * 4 * this.#counts.across
    const max = this.#size.long.across
    return { count: width, max, pixel: y * width, pixelStep: 1, block, blockStep: 1, long: 8 * y }
  }

  #columnOf(x: number): Track {
    const { width, height } = this.#gray
    const blockStep = 4 * this.#counts.across
    const max = this.#size.long.down
    return { count: height, max, pixel: x, pixelStep: width, block: x >> 3, blockStep, long: 8 * (height + x) }
  }

  /** The length of the run that holds the pixels from `start` to `end` (excluded); more than `max` where it is longer. */
  #runOf(track: Track, start: number, end: number, max: number, range: Range): number {
    const long = this.#long
    const known = track.long + (range.from === 0 ? 0 : 4)
    // Beside a place in a long run is mostly another one.
    const isKnown = start >= long[known]! && end <= long[known + 1]!
    if (isKnown && long[known + 2]! >= range.from && long[known + 3]! <= range.to) return max + 1
    const last = this.#goOn(track, end - 1, 1, max, range)
    const first = last - start >= max ? start : this.#goOn(track, start, -1, max, range)
    const length = last + 1 - first
    if (length > track.max) {
      long[known] = first
      long[known + 1] = last + 1
      long[known + 2] = range.from
      long[known + 3] = range.to
    }
    return length
  }

  /**
   * The last pixel of a run that goes on from a place, or one further than `max`. Blocks that lie wholly in the range, as
   * those of grounds do, are passed at a step.
   */
  #goOn(track: Track, place: number, step: 1 | -1, max: number, range: Range): number {
    const { pixels } = this.#gray
    const { lowest, lack } = this.#counts
    const begins = step === 1 ? 0 : 7
    let next = place + step
    while (next >= 0 && next < track.count && (next - place) * step <= max) {
      const block = track.block + (next >> 3) * track.blockStep
      if ((next & 7) === begins && lowest[block]! >= range.from && 255 - lack[block]! <= range.to) {
        next += 8 * step
      } else if (isIn(range, pixels[track.pixel + next * track.pixelStep]!)) next += step
      else break
    }
    // The last block may reach beyond the page.
    return Math.min(next, track.count) - step
  }
}

const isIn = ({ from, to }: Range, tone: number) => tone >= from && tone <= to

/** The number of bits that are set in words. */
export function countBits(words: Int32Array): number {
  let count = 0
  for (const word of words) count += bitsIn(word)
  return count
}
