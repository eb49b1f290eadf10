import { type Bitmap, bitsIn, createBitmap } from '../raster/bitmap.ts'

/** Degrees beyond which a page does not lie askew by accident. */
const widest = 5
const coarseStep = 0.25
const fineStep = 0.05
/**
 * Less than this nobody sees, and moving pixels costs the reader more than it gives. The rows of the standard
 * resolution are so coarse that tesseract read pages askew by 2 degrees better before than after.
 */
const least = { fine: 0.3, standard: 3 }
/** How much sharper the lines must stand at the angle than as the page lies. */
const worth = 1.1

/** Black pixels of each word: columns of 32 pixels. */
export function countWords({ words }: Bitmap): Uint8Array {
  const counts = new Uint8Array(words.length)
  for (let at = 0; at < words.length; at++) if (words[at] !== 0) counts[at] = bitsIn(words[at]!)
  return counts
}

/** How sharply rows of ink and rows of paper alternate when columns are shifted by a slope of rows per pixel. */
function sharpness(counts: Uint8Array, { rowWords, height }: Bitmap, slope: number, profile: Int32Array): number {
  profile.fill(0)
  const reach = (profile.length - height) >> 1
  for (let column = 0; column < rowWords; column++) {
    const shift = reach + Math.round((column - rowWords / 2) * 32 * slope)
    for (let y = 0, at = column; y < height; y++, at += rowWords) profile[y + shift]! += counts[at]!
  }
  let sum = 0
  for (let y = 1; y < profile.length; y++) sum += (profile[y]! - profile[y - 1]!) ** 2
  return sum
}

/**
 * How far the lines of a page rise to the right, in degrees; 0 when it lies straight or has no lines to tell by.
 * Projection profiles: at the angle of the lines, rows of ink and rows of paper alternate most sharply.
 * @param aspect rows an inch for each pixel an inch: 196/204 on a fine page
 */
export function findSkew(page: Bitmap, aspect: number): number {
  const counts = countWords(page)
  const reach = Math.ceil(page.width * Math.tan((widest * Math.PI) / 180) * aspect) / 2
  const profile = new Int32Array(page.height + 2 * Math.ceil(reach) + 64)
  const at = (degrees: number) => sharpness(counts, page, Math.tan((degrees * Math.PI) / 180) * aspect, profile)
  const straight = at(0)
  let best = { degrees: 0, sharp: straight }
  const consider = (degrees: number) => {
    const sharp = at(degrees)
    if (sharp > best.sharp) best = { degrees, sharp }
  }
  for (let degrees = -widest; degrees <= widest; degrees += coarseStep) consider(degrees)
  const near = best.degrees
  for (let off = -coarseStep; off <= coarseStep; off += fineStep) consider(near + off)
  const isAtTheEnd = Math.abs(best.degrees) >= widest
  return isAtTheEnd ||
    Math.abs(best.degrees) < (aspect < 0.7 ? least.standard : least.fine) ||
    best.sharp < straight * worth
    ? 0
    : best.degrees
}

/** Copies `count` pixels of one row into another that is white there. Positions are pixels from the left. */
function copyPixels(from: Int32Array, fromAt: number, to: Int32Array, toAt: number, count: number): void {
  for (let done = 0; done < count;) {
    const [source, target] = [fromAt + done, toAt + done]
    const length = Math.min(32 - (source & 31), 32 - (target & 31), count - done)
    const bits = (from[source >>> 5]! << (source & 31)) >>> (32 - length)
    to[target >>> 5]! |= bits << (32 - (target & 31) - length)
    done += length
  }
}

const rowOf = ({ words, rowWords }: Bitmap, y: number) => words.subarray(y * rowWords, (y + 1) * rowWords)

/** The page with its lines level: columns are shifted up and down, then rows to and fro. What leaves the page is lost. */
export function level(page: Bitmap, degrees: number, aspect: number): Bitmap {
  const { width, height } = page
  const slope = Math.tan((degrees * Math.PI) / 180)
  const leveled = createBitmap(width, height)
  for (let left = 0; left < width;) {
    const shift = Math.round((left - width / 2) * slope * aspect)
    let right = left + 1
    while (right < width && Math.round((right - width / 2) * slope * aspect) === shift) right++
    for (let y = Math.max(0, shift); y < Math.min(height, height + shift); y++) {
      copyPixels(rowOf(page, y - shift), left, rowOf(leveled, y), left, right - left)
    }
    left = right
  }
  const upright = createBitmap(width, height)
  for (let y = 0; y < height; y++) {
    const shift = Math.round(((height / 2 - y) / aspect) * slope)
    const [from, to] = shift > 0 ? [0, shift] : [-shift, 0]
    copyPixels(rowOf(leveled, y), from, rowOf(upright, y), to, width - Math.abs(shift))
  }
  return upright
}
