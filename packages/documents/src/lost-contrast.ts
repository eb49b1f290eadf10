import type { Bitmap } from './bitmap.ts'
import { block as size, blocksATile, eachAround } from './grey-tiles.ts'
import type { Grey, TileCounts } from './grey-tiles.ts'
import type { Resolution } from './paper.ts'
import { inkContrast, leastPixels } from './shade-writing.ts'
import { Marks } from './strokes.ts'

/** A mark is seen when a pixel of the other color is at most this far from it, which soft edges are. */
const near = 2

/** What a page was made of, and the tiles that may have dust. */
export interface Source {
  grey: Grey
  counts: TileCounts
  resolution: Resolution
  isGrained: (index: number) => boolean
}

/**
 * The tiles of a page in which marks that the grey page has are gone: strokes and lines as dark or light as writing is,
 * where the page is black or white all over. With `among` only those are looked at.
 */
export function findLost(bitmap: Bitmap, source: Source, among?: ReadonlySet<number>): Set<number> {
  const { across, lowest, lack, toned } = source.counts
  const lost = new Set<number>()
  const marks = new Marks(source, source.resolution)
  for (let index = 0; index < toned.length; index++) {
    // White tiles, of which most pages mostly consist.
    if (toned[index]! < leastPixels.drawn || (among && !among.has(index))) continue
    const [left, top] = [index % across, Math.floor(index / across)]
    for (let part = 0; part < blocksATile; part++) {
      const [column, row] = [4 * left + (part & 3), 2 * top + (part >> 2)]
      const at = row * 4 * across + column
      const [low, high] = [lowest[at]!, 255 - lack[at]!]
      if (high - low < inkContrast) continue
      const solid = solidTone(bitmap, column, row)
      if (solid === undefined) continue
      if (!isLostIn(bitmap, source, marks, { index, column, row, solid, middle: (low + high) >> 1 })) continue
      lost.add(index)
      break
    }
  }
  return lost
}

/** A block that is of one color on the page and not in the grey one. */
interface Block {
  index: number
  column: number
  row: number
  solid: number
  middle: number
}

/** Tiles and those around them. */
export function withThoseAround(tiles: ReadonlySet<number>, counts: TileCounts): Set<number> {
  const all = new Set<number>()
  for (const index of tiles) eachAround(counts, index, (around) => all.add(around))
  return all
}

/** -1 where a block is black all over, 0 where it is white, and undefined where it is both. */
function solidTone({ words, rowWords, height }: Bitmap, column: number, row: number): number | undefined {
  const shift = 24 - 8 * (column & 3)
  const end = Math.min(height, (row + 1) * size.height)
  let [any, all] = [0, 0xff]
  for (let at = row * size.height * rowWords + (column >> 2), y = row * size.height; y < end; y++, at += rowWords) {
    const bits = (words[at]! >>> shift) & 0xff
    any |= bits
    all &= bits
    if (any !== 0 && all !== 0xff) return undefined
  }
  return any === 0 ? 0 : -1
}

/** Whether a block has marks of which nothing is seen. */
function isLostIn(bitmap: Bitmap, { grey, isGrained }: Source, marks: Marks, block: Block): boolean {
  const { solid, middle } = block
  const least = isGrained(block.index) ? leastPixels.grained : leastPixels.drawn
  findSeen(bitmap, block)
  // What has the other color than the page shows there: a soft edge of what is seen is no loss.
  if (countUnseen(grey, block) < least) return false
  const [left, top] = [block.column * size.width, block.row * size.height]
  const area = { left, top, right: left + size.width, bottom: Math.min(grey.height, top + size.height) }
  const dark = marks.find(area, { from: 0, to: middle })
  // Lines lighter than their ground are the gaps between bars and cells.
  if (unseenOf(dark.strokes) >= least || (solid === 0 && unseenOf(dark.lines) >= least)) return true
  const light = marks.find(area, { from: middle + 1, to: 255 }, true)
  return unseenOf(light.strokes) >= least
}

/** Bits of the rows of a block: pixels near one that is seen. */
const seen = new Int32Array(size.height)
const spread = new Int32Array(size.height + 2 * near)

/** How many pixels of marks, of which those of a block are the leftmost bits, are not seen. */
function unseenOf(rows: Int32Array): number {
  let count = 0
  for (let y = 0; y < size.height; y++) {
    for (let left = (rows[y]! >>> 24) & ~seen[y]!; left !== 0; left &= left - 1) count++
  }
  return count
}

/** Pixels that are not seen: darker than the middle where a block is white, lighter ones where it is black. */
function countUnseen({ pixels, width, height }: Grey, { column, row, solid, middle }: Block): number {
  let count = 0
  const rows = Math.min(size.height, height - row * size.height)
  for (let y = 0; y < rows; y++) {
    if (seen[y] === 0xff) continue
    const at = (row * size.height + y) * width + column * size.width
    for (let x = 0; x < size.width; x++) {
      if (pixels[at + x]! <= middle === (solid === 0) && (seen[y]! & (0x80 >> x)) === 0) count++
    }
  }
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
