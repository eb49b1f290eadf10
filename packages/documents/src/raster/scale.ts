import { type Bitmap, changeRow, findChanges } from './bitmap.ts'

/** Gray pixels, one byte each, 0 is black. */
export interface GrayImage {
  pixels: Uint8Array
  width: number
  height: number
}

/** Scales a bilevel page to gray: every pixel is the average of the area it covers. White rows cost nothing. */
export function scaleToGray(bitmap: Bitmap, width: number, height: number): GrayImage {
  const pixels = new Uint8Array(width * height).fill(255)
  const changes = changeRow(bitmap.width)
  const black = new Float32Array(width + 1)
  const scale = width / bitmap.width
  const rows = bitmap.height / height
  for (let target = 0; target < height; target++) {
    const [top, bottom] = [target * rows, Math.min(bitmap.height, (target + 1) * rows)]
    let [first, last] = [width, -1]
    for (let y = Math.floor(top); y < bottom; y++) {
      const count = findChanges(bitmap, y, changes)
      if (count === 0) continue
      first = Math.min(first, Math.floor(changes[0]! * scale))
      last = Math.max(last, Math.floor(changes[count - 1 + (count & 1)]! * scale))
      const share = (Math.min(bottom, y + 1) - Math.max(top, y)) / rows
      for (let index = 0; index < count; index += 2) {
        addRun(black, changes[index]! * scale, changes[index + 1]! * scale, share)
      }
    }
    const end = Math.min(width - 1, last)
    for (let x = first; x <= end; x++) {
      if (black[x] === 0) continue
      pixels[target * width + x] = 255.5 - 255 * Math.min(1, black[x]!)
      black[x] = 0
    }
    black[width] = 0
  }
  return { pixels, width, height }
}

/** Adds a black run from `from` to `to` (in pixels of the target) to the pixels it covers. */
function addRun(black: Float32Array, from: number, to: number, share: number): void {
  const first = Math.floor(from)
  const last = Math.floor(to)
  if (first === last) {
    black[first]! += (to - from) * share
    return
  }
  black[first]! += (first + 1 - from) * share
  for (let x = first + 1; x < last; x++) black[x]! += share
  black[last]! += (to - last) * share
}

/** The image as a portable gray map, as programs read it that take no pixels alone. */
export function portableGray({ pixels, width, height }: GrayImage): Buffer {
  return Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`, 'latin1'), pixels])
}
