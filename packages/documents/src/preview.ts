import { createBitmap } from './bitmap.ts'
import type { Bitmap } from './bitmap.ts'
import { dotsAcross, dotsDown } from './paper.ts'
import type { Resolution } from './paper.ts'
import { bitmapToPng, greyToPng } from './png-write.ts'
import { scaleToGrey } from './scale.ts'
import type { PageImage } from './tasks.ts'

const leastWidth = 16

/**
 * A fax page as it looks on paper, its pixels square: scaled smoothly to `width` pixels across, or black and white in
 * its own width when that is not smaller or undefined.
 */
export function previewPage(page: Bitmap, resolution: Resolution, width = page.width): PageImage {
  const across = Math.max(leastWidth, Math.min(page.width, Math.floor(width)))
  const square = dotsAcross / dotsDown[resolution]
  const height = Math.max(1, Math.round((page.height * square * across) / page.width))
  const png =
    across === page.width ? bitmapToPng(stretchRows(page, height)) : greyToPng(scaleToGrey(page, across, height))
  return { png, width: across, height }
}

function stretchRows(page: Bitmap, height: number): Bitmap {
  const stretched = createBitmap(page.width, height)
  for (let y = 0; y < height; y++) {
    const from = Math.floor((y * page.height) / height) * page.rowWords
    stretched.words.set(page.words.subarray(from, from + page.rowWords), y * page.rowWords)
  }
  return stretched
}
