import type { Bitmap } from './bitmap.ts'
import { faxWidth, type Placement } from './paper.ts'
import { type GrayImage, scaleToGray } from './scale.ts'

/** A gray image turned clockwise by 90°. */
function turnGray({ pixels, width, height }: GrayImage): GrayImage {
  const turned = new Uint8Array(pixels.length)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) turned[x * height + (height - 1 - y)] = pixels[y * width + x]!
  }
  return { pixels: turned, width: height, height: width }
}

/** The pixels of a white fax page of `rows` rows with what it shows of an image of the size of `place`. */
export function layOnPage(image: GrayImage, place: Placement, rows: number): Uint8Array {
  const page = new Uint8Array(faxWidth * rows).fill(255)
  for (let y = Math.max(0, -place.top); y < Math.min(image.height, rows - place.top); y++) {
    page.set(image.pixels.subarray(y * image.width, (y + 1) * image.width), (place.top + y) * faxWidth + place.left)
  }
  return page
}

/** The pixels of a white fax page of `rows` rows with what it shows of a bilevel page that is scaled to `place`. */
export function bitmapOnPage(bitmap: Bitmap, place: Placement, rows: number): Uint8Array {
  const [width, height] = place.turned ? [place.height, place.width] : [place.width, place.height]
  const scaled = scaleToGray(bitmap, width, height)
  return layOnPage(place.turned ? turnGray(scaled) : scaled, place, rows)
}
