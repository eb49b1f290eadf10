import type { Bitmap } from '../raster/bitmap.ts'
import type { Resolution } from '../raster/paper.ts'

/** Areas are wider and higher than the strokes of writing, thin lines, and the dots of a screen. */
const area: Record<Resolution, { across: number; down: number }> = {
  fine: { across: 8, down: 8 },
  standard: { across: 8, down: 4 },
}
const middleTone = 128

/**
 * Percent of a fax page that is black in an area although the gray page is not darker than middle gray there: pixels of
 * rectangles of black that lie further than one pixel from what is dark. Both have the same size.
 */
export function blackGained(page: Bitmap, gray: Uint8Array, resolution: Resolution): number {
  const { width, height } = page
  const solid = solidOf(page, area[resolution])
  let gained = 0
  for (let at = 0; at < solid.length; at++) if (solid[at] === 1 && !isNearDark(gray, width, height, at)) gained++
  return (100 * gained) / (width * height)
}

function isNearDark(gray: Uint8Array, width: number, height: number, at: number): boolean {
  const [x, y] = [at % width, Math.floor(at / width)]
  for (let row = Math.max(0, y - 1); row <= Math.min(height - 1, y + 1); row++) {
    for (let column = Math.max(0, x - 1); column <= Math.min(width - 1, x + 1); column++) {
      if (gray[row * width + column]! < middleTone) return true
    }
  }
  return false
}

/** A byte a pixel, 1 for those in a rectangle of black. */
function solidOf({ words, rowWords, width, height }: Bitmap, { across, down }: { across: number; down: number }) {
  const ends = new Uint8Array(width * height)
  for (let y = 0; y < height; y++) {
    for (let x = 0, run = 0; x < width; x++) {
      run = (words[y * rowWords + (x >> 5)]! >>> (31 - (x & 31))) & 1 ? run + 1 : 0
      if (run >= across) ends[y * width + x] = 1
    }
  }
  const solid = new Uint8Array(width * height)
  for (let x = 0; x < width; x++) {
    for (let y = 0, run = 0; y < height; y++) {
      run = ends[y * width + x] === 1 ? run + 1 : 0
      if (run < down) continue
      for (let row = y + 1 - down; row <= y; row++) solid.fill(1, row * width + x + 1 - across, row * width + x + 1)
    }
  }
  return solid
}
