import { describe, expect, it } from 'vitest'
import { type Bitmap, createBitmap, fillRun } from '../raster/bitmap.ts'
import { removeSpecks } from './specks.ts'

const at = ({ width, height, rowWords, words }: Bitmap, x: number, y: number) =>
  x >= 0 && y >= 0 && x < width && y < height && ((words[y * rowWords + (x >> 5)]! >>> (31 - (x & 31))) & 1) === 1

describe('removing specks', () => {
  /** A stroke, a dot beside it, dust far from it, and a dot as large as one of a letter. */
  function sheet(): Bitmap {
    const page = createBitmap(128, 64)
    const dot = (x: number, y: number, size: number) => {
      for (let row = y; row < y + size; row++) fillRun(page.words, row * page.rowWords, x, x + size)
    }
    for (let y = 10; y < 40; y++) fillRun(page.words, y * page.rowWords, 20, 23)
    dot(27, 38, 3)
    dot(70, 20, 1)
    dot(100, 50, 3)
    dot(70, 50, 4)
    return page
  }

  it('takes dust and leaves what belongs to letters', () => {
    const page = sheet()
    removeSpecks(page, () => true)
    expect([at(page, 21, 20), at(page, 28, 39), at(page, 71, 51)]).toEqual([true, true, true])
    expect([at(page, 70, 20), at(page, 101, 51)]).toEqual([false, false])
  })

  it('looks only where it is told to', () => {
    const page = sheet()
    removeSpecks(page, (index) => index % page.rowWords === 3)
    expect([at(page, 70, 20), at(page, 101, 51)]).toEqual([true, false])
  })
})
