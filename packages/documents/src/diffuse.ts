import type { Bitmap } from './bitmap.ts'

/** Pages are judged in tiles, one word of the bitmap wide. */
export const tile = { width: 32, height: 16 }

/**
 * Dithers the tiles for which `chosen` holds into the bitmap, from grey pixels of the same width, with the error
 * diffusion of Floyd and Steinberg (1976), rows in alternating direction. No error leaves the chosen tiles.
 */
export function diffuseTiles(
  bitmap: Bitmap,
  pixels: Uint8Array,
  chosen: (column: number, row: number) => boolean,
): void {
  const { width, height, rowWords, words } = bitmap
  let current = new Float32Array(width + 2)
  let below = new Float32Array(width + 2)
  const mask = new Uint8Array(rowWords)
  for (let y = 0; y < height; y++) {
    if (y % tile.height === 0) {
      for (let column = 0; column < rowWords; column++)
        mask[column] = chosen(column, Math.floor(y / tile.height)) ? 1 : 0
    }
    const step = (y & 1) === 0 ? 1 : -1
    for (let count = 0; count < width; count++) {
      const x = step === 1 ? count : width - 1 - count
      if (mask[x >> 5] === 0) {
        // Errors that were passed on to a tile of text are dropped there.
        current[x + 1] = 0
        continue
      }
      const wanted = pixels[y * width + x]! + current[x + 1]!
      const bit = 1 << (31 - (x & 31))
      const word = y * rowWords + (x >> 5)
      if (wanted < 128) words[word]! |= bit
      else words[word]! &= ~bit
      const error = (wanted < 128 ? wanted : wanted - 255) / 16
      current[x + 1 + step]! += error * 7
      below[x + 1 - step]! += error * 3
      below[x + 1]! += error * 5
      below[x + 1 + step]! += error
    }
    const swap = current
    current = below
    below = swap
    below.fill(0)
  }
}
