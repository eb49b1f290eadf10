import { type Bitmap, bitsIn } from '../raster/bitmap.ts'
import { tile } from '../raster/gray-tiles.ts'

/** Dust on a scan: at most so many pixels that hang together, with nothing near. Dots of letters are larger or near one. */
const largest = 9
/** Pixels around a speck that must be white: near the smallest ones, and far around the larger ones. */
const near = { pixels: 2, around: 3 }
const far = 10

/**
 * Removes the specks that begin in the tiles `isScanned` names: what is drawn has none. Looks at a few pixels for each
 * edge, so that its time is bounded.
 */
export function removeSpecks(bitmap: Bitmap, isScanned: (index: number) => boolean): void {
  const { width, height, rowWords, words } = bitmap
  const isBlack = (x: number, y: number) =>
    x >= 0 && y >= 0 && x < width && y < height && ((words[y * rowWords + (x >> 5)]! >>> (31 - (x & 31))) & 1) === 1
  for (let index = 0; index < rowWords * Math.ceil(height / tile.height); index++) {
    if (!isScanned(index)) continue
    const column = index % rowWords
    const top = Math.floor(index / rowWords) * tile.height
    for (let y = top; y < Math.min(height, top + tile.height); y++) {
      let starts = startsIn(bitmap, column, y)
      while (starts !== 0) {
        const offset = Math.clz32(starts)
        starts &= 0x7fffffff >>> offset
        const x = (column << 5) + offset
        if (!mayStandAlone(bitmap, x, y)) continue
        const part = hangingTogether(x, y, isBlack)
        if (!part || !standsAlone(part, isBlack)) continue
        for (const [px, py] of part) words[py * rowWords + (px >> 5)]! &= ~(1 << (31 - (px & 31)))
      }
    }
  }
}

/** Pixels without one to the left and above: the first of a speck is among them. */
function startsIn({ words, rowWords }: Bitmap, column: number, y: number): number {
  const at = y * rowWords + column
  const left = (words[at]! >>> 1) | (column > 0 ? words[at - 1]! << 31 : 0)
  return words[at]! & ~left & ~(y > 0 ? words[at - rowWords]! : 0)
}

/** Whether so little is around a pixel that it can belong to a speck: all of that would be the speck itself. */
function mayStandAlone(bitmap: Bitmap, x: number, y: number): boolean {
  return blackAround(bitmap, x, y, near.around) <= near.pixels || blackAround(bitmap, x, y, far) <= largest
}

/** How many pixels are black up to `reach` (at most 15) from one, itself included; a few more than `largest` are enough. */
function blackAround({ height, rowWords, words }: Bitmap, x: number, y: number, reach: number): number {
  const [first, last] = [Math.max(0, y - reach), Math.min(height - 1, y + reach)]
  const shift = (x - reach) & 31
  const at = (x - reach) >> 5
  const mask = -1 << (31 - 2 * reach)
  let count = 0
  for (let row = first; row <= last && count <= largest; row++) {
    const start = row * rowWords
    const left = at >= 0 ? words[start + at]! << shift : 0
    const right = shift > 0 && at + 1 < rowWords ? words[start + at + 1]! >>> (32 - shift) : 0
    count += bitsIn((left | right) & mask)
  }
  return count
}

type Test = (x: number, y: number) => boolean

/** The pixels that hang together with one, corners included; undefined when they are too many for a speck. */
function hangingTogether(x: number, y: number, isBlack: Test): [number, number][] | undefined {
  const part: [number, number][] = [[x, y]]
  for (const [px, py] of part) {
    for (let at = 0; at < 9; at++) {
      const [nx, ny] = [px - 1 + (at % 3), py - 1 + Math.floor(at / 3)]
      if (!isBlack(nx, ny) || part.some(([ox, oy]) => ox === nx && oy === ny)) continue
      if (part.length === largest) return undefined
      part.push([nx, ny])
    }
  }
  return part
}

function standsAlone(part: readonly [number, number][], isBlack: Test): boolean {
  const around = part.length <= near.pixels ? near.around : far
  const [xs, ys] = [part.map(([x]) => x), part.map(([, y]) => y)]
  let found = 0
  for (let y = Math.min(...ys) - around; y <= Math.max(...ys) + around; y++) {
    for (let x = Math.min(...xs) - around; x <= Math.max(...xs) + around; x++) {
      if (isBlack(x, y) && ++found > part.length) return false
    }
  }
  return true
}
