import { type Bitmap, createBitmap } from './raster/bitmap.ts'
import type { FaxPage, PageNote } from './raster/page-notes.ts'
import { dotsAcross, dotsDown, type Resolution } from './raster/paper.ts'
import { bitmapToPng, grayToPng, markedToPng } from './images/png.ts'
import { scaleToGray } from './raster/scale.ts'

export interface PageImage {
  png: Uint8Array
  /** Pixels. */
  width: number
  height: number
  /** What is to be said of the page. */
  notes: PageNote[]
}

const leastWidth = 16
/** Pixels that the frame of a marked place is wide. */
const frame = 3

/**
 * A fax page as it looks on paper, its pixels square: scaled smoothly to `width` pixels across, or black and white in
 * its own width when that is not smaller or undefined. Places where writing is lost are marked in red.
 */
export function previewPage(page: FaxPage, resolution: Resolution, width = page.width): Omit<PageImage, 'notes'> {
  const across = Math.max(leastWidth, Math.min(page.width, Math.floor(width)))
  const square = dotsAcross / dotsDown[resolution]
  const height = Math.max(1, Math.round((page.height * square * across) / page.width))
  if (page.lost?.length || page.isBlank) return { png: markedPage(page, across, height), width: across, height }
  const png =
    across === page.width ? bitmapToPng(stretchRows(page, height)) : grayToPng(scaleToGray(page, across, height))
  return { png, width: across, height }
}

/** The page scaled to gray, with a red frame around each place where writing is lost; around the page when it is blank. */
function markedPage(page: FaxPage, across: number, height: number): Uint8Array {
  const gray = scaleToGray(page, across, height)
  const [wide, high] = [across / page.width, height / page.height]
  const whole = { left: 0, top: 0, width: page.width, height: page.height }
  const red = new Uint8Array(across * height)
  for (const place of page.isBlank ? [whole] : (page.lost ?? [])) {
    const left = Math.max(0, Math.floor(place.left * wide) - frame)
    const top = Math.max(0, Math.floor(place.top * high) - frame)
    const right = Math.min(across, Math.ceil((place.left + place.width) * wide) + frame)
    const bottom = Math.min(height, Math.ceil((place.top + place.height) * high) + frame)
    for (let y = top; y < bottom; y++) {
      const isEdge = y < top + frame || y >= bottom - frame
      red.fill(1, y * across + left, y * across + (isEdge ? right : Math.min(right, left + frame)))
      if (!isEdge) red.fill(1, y * across + Math.max(left, right - frame), y * across + right)
    }
  }
  return markedToPng(gray, red)
}

function stretchRows(page: Bitmap, height: number): Bitmap {
  const stretched = createBitmap(page.width, height)
  for (let y = 0; y < height; y++) {
    const from = Math.floor((y * page.height) / height) * page.rowWords
    stretched.words.set(page.words.subarray(from, from + page.rowWords), y * page.rowWords)
  }
  return stretched
}
