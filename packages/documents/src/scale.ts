import type { Bitmap } from './bitmap.ts'

/** Grey pixels, one byte each, 0 is black. */
export interface GreyImage {
  pixels: Uint8Array
  width: number
  height: number
}

/** Scales a bilevel page to grey: every pixel is the average of the area it covers. */
export function scaleToGrey(bitmap: Bitmap, width: number, height: number): GreyImage {
  const pixels = new Uint8Array(width * height)
  const across = new Float32Array(width)
  const black = new Float32Array(width)
  const rows = bitmap.height / height
  let averaged = -1
  let inked = false
  for (let target = 0; target < height; target++) {
    const [top, bottom] = [target * rows, Math.min(bitmap.height, (target + 1) * rows)]
    black.fill(0)
    for (let y = Math.floor(top); y < bottom; y++) {
      if (y !== averaged) inked = averageRow(bitmap, y, across)
      averaged = y
      if (inked) addRow(black, across, (Math.min(bottom, y + 1) - Math.max(top, y)) / rows)
    }
    for (let x = 0; x < width; x++) pixels[target * width + x] = 255.5 - 255 * Math.min(1, black[x]!)
  }
  return { pixels, width, height }
}

function addRow(black: Float32Array, across: Float32Array, weight: number): void {
  for (let x = 0; x < black.length; x++) black[x]! += across[x]! * weight
}

const sums = new Uint32Array(65_537)

/** The share of black in each of `across.length` equal parts of a row; false when the row is white. */
function averageRow(bitmap: Bitmap, y: number, across: Float32Array): boolean {
  const { rowWords, words, width } = bitmap
  const row = y * rowWords
  let any = 0
  for (let index = row; index < row + rowWords; index++) any |= words[index]!
  if (any === 0) return false
  for (let x = 0; x < width; x++) sums[x + 1] = sums[x]! + ((words[row + (x >> 5)]! >>> (31 - (x & 31))) & 1)
  sums[width + 1] = sums[width]!
  const scale = width / across.length
  let before = 0
  for (let x = 0; x < across.length; x++) {
    const edge = (x + 1) * scale
    const whole = Math.floor(edge)
    const upTo = sums[whole]! + (edge - whole) * (sums[whole + 1]! - sums[whole]!)
    across[x] = (upTo - before) / scale
    before = upTo
  }
  return true
}
