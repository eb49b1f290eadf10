import { describe, expect, it } from 'vitest'
import { createBitmap } from '../raster/bitmap.ts'
import { findFilled } from './filled.ts'

const [width, height] = [96, 40]
const black = () => {
  const bitmap = createBitmap(width, height)
  bitmap.words.fill(-1)
  return bitmap
}
const page = (toneAt: (x: number, y: number) => number) => ({
  pixels: Uint8Array.from({ length: width * height }, (_, at) => toneAt(at % width, Math.floor(at / width))),
  width,
  height,
})

describe('the check for black areas', () => {
  it('finds the tiles that are black and were lighter than middle gray, and no others', () => {
    const gray = page((x) => (x < 32 ? 40 : x < 64 ? 140 : 127))
    expect(findFilled(black(), gray)).toEqual([1, 4])
    expect(findFilled(createBitmap(width, height), gray)).toEqual([])
  })

  it('leaves gray writing alone, which is black on the fax', () => {
    const bitmap = createBitmap(width, height)
    bitmap.words.fill(0x0f0f0f0f)
    expect(
      findFilled(
        bitmap,
        page((x) => (x % 8 < 4 ? 255 : 160)),
      ),
    ).toEqual([])
  })
})
