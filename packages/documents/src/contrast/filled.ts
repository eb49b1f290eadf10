import { type Bitmap, bitsIn } from '../raster/bitmap.ts'
import { middleTone } from './find-grounds.ts'
import { type Gray, tile, tileArea, tilePixels } from '../raster/gray-tiles.ts'

/** A tile is looked at when so much of it is black … */
const blackShare = 0.6
/** … and is filled when so much more of it is black than was darker than middle gray: more than writing has. */
const gainedShare = 0.3

/** The tiles of a page in which an area is black that was lighter than middle gray. */
export function findFilled(bitmap: Bitmap, gray: Gray): number[] {
  const { words, rowWords, height } = bitmap
  const filled: number[] = []
  for (let index = 0; index < rowWords * Math.ceil(height / tile.height); index++) {
    const first = Math.floor(index / rowWords) * tile.height
    const [start, end] = [first * rowWords + (index % rowWords), Math.min(height, first + tile.height) * rowWords]
    let black = 0
    for (let at = start; at < end; at += rowWords) black += bitsIn(words[at]!)
    if (black >= blackShare * tilePixels && black - darkIn(gray, rowWords, index) >= gainedShare * tilePixels) {
      filled.push(index)
    }
  }
  return filled
}

/** How many pixels of a tile are darker than middle gray. */
function darkIn(gray: Gray, across: number, index: number): number {
  const { left, top, right, bottom } = tileArea(gray, across, index)
  let dark = 0
  for (let y = top; y < bottom; y++) {
    for (let at = y * gray.width + left; at < y * gray.width + right; at++) if (gray.pixels[at]! < middleTone) dark++
  }
  return dark
}
