import { type Bitmap, bitsIn } from '../raster/bitmap.ts'
import { block as size, blocksATile, eachAround, type Gray, type TileCounts } from '../raster/gray-tiles.ts'
import type { Resolution } from '../raster/paper.ts'
import { inkContrast, leastPixels } from './shade-writing.ts'
import { Marks } from './strokes.ts'

/** A mark is seen when a pixel of the other color is at most this far from it, which soft edges are. */
const near = 2
/** Bars are at least so many rows high. */
const leastRows = 3

/** What a page was made of, and the tiles that may have dust. */
export interface Source {
  gray: Gray
  counts: TileCounts
  resolution: Resolution
  isGrained: (index: number) => boolean
}

/**
 * The tiles of a page in which marks that the gray page has are gone: strokes and lines as dark or light as writing is,
 * where the page is black or white all over. With `among` only those are looked at.
 */
export function findLost(
  bitmap: Bitmap,
  source: Source,
  among?: ReadonlySet<number>,
  marks = new Marks(source, source.resolution),
): Set<number> {
  const { across, lowest, lack, toned } = source.counts
  const lost = new Set<number>()
  for (let index = 0; index < toned.length; index++) {
    // White tiles, of which most pages mostly consist.
    if (toned[index]! < leastPixels.drawn || (among && !among.has(index))) continue
    const [left, top] = [index % across, Math.floor(index / across)]
    const parts = solidParts(bitmap, left, top)
    for (let part = 0; parts !== 0 && part < blocksATile; part++) {
      if ((parts & (1 << part)) === 0) continue
      const [column, row] = [4 * left + (part & 3), 2 * top + (part >> 2)]
      const at = row * 4 * across + column
      const range = { low: lowest[at]!, high: 255 - lack[at]! }
      if (range.high - range.low < inkContrast) continue
      const solid = solidRows(bitmap, column, row)
      if (!solid) continue
      const { low, high } = solid.end - solid.first < size.height ? rangeOf(source.gray, column, row, solid) : range
      if (high - low < inkContrast) continue
      if (!isLostIn(bitmap, source, marks, { index, column, row, ...solid, middle: (low + high) >> 1 })) continue
      lost.add(index)
      break
    }
  }
  return lost
}

/** Rows of a block, the last excluded, that are of one color on the page: -1 for black, 0 for white. */
interface SolidRows {
  solid: number
  first: number
  end: number
}

/** A block with such rows that are not of one color in the gray page. */
interface Block extends SolidRows {
  index: number
  column: number
  row: number
  middle: number
}

/** Tiles and those around them. */
export function withThoseAround(tiles: ReadonlySet<number>, counts: TileCounts): Set<number> {
  const all = new Set<number>()
  for (const index of tiles) eachAround(counts, index, (around) => all.add(around))
  return all
}

/** Which blocks of a tile, a bit for each, may have rows that `solidRows` finds: four blocks are looked at in one. */
function solidParts({ words, rowWords, height }: Bitmap, left: number, top: number): number {
  let parts = 0
  for (let half = 0; half < 2; half++) {
    const first = top * 2 * size.height + half * size.height
    const end = Math.min(height, first + size.height)
    let any = 0
    let black = 0
    let before = 0
    let last = 0
    for (let y = first; y < end; y++) {
      const word = words[y * rowWords + left]!
      any |= word
      black |= word & before & last
      last = before
      before = word
    }
    for (let part = 0; part < 4; part++) {
      const bits = 0xff << (24 - 8 * part)
      if ((any & bits) === 0 || (black & bits) === bits) parts |= 1 << (4 * half + part)
    }
  }
  return parts
}

/** The rows of a block that is of one color, or those that are black where a filled bar ends in it. */
function solidRows({ words, rowWords, height }: Bitmap, column: number, row: number): SolidRows | undefined {
  const shift = 24 - 8 * (column & 3)
  const rows = Math.min(size.height, height - row * size.height)
  let [any, first, end] = [0, 0, 0]
  for (let y = 0, start = 0, at = row * size.height * rowWords + (column >> 2); y < rows; y++, at += rowWords) {
    const bits = (words[at]! >>> shift) & 0xff
    any |= bits
    if (bits !== 0xff) start = y + 1
    else if (y + 1 - start > end - first) [first, end] = [start, y + 1]
  }
  if (any === 0) return { solid: 0, first: 0, end: rows }
  return end - first >= leastRows ? { solid: -1, first, end } : undefined
}

/** The lowest and highest tone in some rows of a block. */
function rangeOf({ pixels, width }: Gray, column: number, row: number, { first, end }: SolidRows) {
  let [low, high] = [255, 0]
  for (let y = row * size.height + first; y < row * size.height + end; y++) {
    for (let at = y * width + column * size.width; at < y * width + (column + 1) * size.width; at++) {
      if (pixels[at]! < low) low = pixels[at]!
      if (pixels[at]! > high) high = pixels[at]!
    }
  }
  return { low, high }
}

/** Whether a block has marks of which nothing is seen. */
function isLostIn(bitmap: Bitmap, { isGrained }: Source, marks: Marks, block: Block): boolean {
  const { solid, middle } = block
  const least = isGrained(block.index) ? leastPixels.grained : leastPixels.drawn
  const [left, top] = [block.column * size.width, block.row * size.height]
  const area = { left, top: top + block.first, right: left + size.width, bottom: top + block.end }
  const range = { from: 0, to: middle }
  findSeen(bitmap, block)
  // What has the other color than the page shows there: a soft edge of what is seen is no loss.
  if (unseenOf(marks.read(area, range), block, solid) < least) return false
  const dark = marks.findRead(area, range)
  // Lines lighter than their ground are the gaps between bars and cells.
  if (unseenOf(dark.strokes, block) >= least || (solid === 0 && unseenOf(dark.lines, block) >= least)) return true
  const light = marks.findOthers(area, { from: middle + 1, to: 255 })
  return unseenOf(light.strokes, block) >= least
}

/** Bits of the rows of a block: pixels near one that is seen. */
const seen = new Int32Array(size.height)
const spread = new Int32Array(size.height + 2 * near)

/** How many of the pixels in `rows`, of which those of a block are the leftmost bits, are not seen; with -1 of the others. */
function unseenOf(rows: Int32Array, { first, end }: SolidRows, others: number = 0): number {
  let count = 0
  for (let y = first; y < end; y++) count += bitsIn(((rows[y - first]! ^ others) >>> 24) & ~seen[y]!)
  return count
}

/** Marks the pixels of a block that have one near them that is not of the solid tone. */
function findSeen({ words, rowWords, height }: Bitmap, { column, row, solid }: Block): void {
  const word = column >> 2
  const shift = 24 - 8 * (column & 3)
  const first = row * size.height - near
  for (let y = 0; y < spread.length; y++) {
    spread[y] = 0
    if (first + y < 0 || first + y >= height) continue
    const at = (first + y) * rowWords + word
    const own = words[at]! ^ solid
    const before = shift < 24 ? own >>> (shift + 8) : word > 0 ? words[at - 1]! ^ solid : 0
    const after = shift > 0 ? own >>> (shift - 8) : (word < rowWords - 1 ? words[at + 1]! ^ solid : 0) >>> 24
    const wide = ((before & 0xff) << 16) | (((own >>> shift) & 0xff) << 8) | (after & 0xff)
    if (wide !== 0) spread[y] = ((wide | (wide << 1) | (wide << 2) | (wide >>> 1) | (wide >>> 2)) >>> 8) & 0xff
  }
  for (let y = 0; y < size.height; y++) {
    seen[y] = spread[y]! | spread[y + 1]! | spread[y + 2]! | spread[y + 3]! | spread[y + 4]!
  }
}
