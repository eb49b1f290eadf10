import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { createBitmap } from './raster/bitmap.ts'
import { previewPage } from './preview.ts'
import { scaleToGray } from './raster/scale.ts'
import { bitmapOf, noiseBitmap } from './testing/bitmap-samples.ts'
import { blackShare } from './testing/samples.ts'

const pixelsOf = async (png: Uint8Array) => sharp(png).grayscale().raw().toBuffer()

describe('scaling a page to gray', () => {
  it('gives every pixel the average of its area', () => {
    // Left third black: 4 pixels across make 1⅓ black ones.
    const { pixels } = scaleToGray(
      bitmapOf(30, [
        [0, 10],
        [0, 10],
      ]),
      4,
      1,
    )
    expect([...pixels]).toEqual([0, 170, 255, 255])
  })

  it.each([
    [100, 130],
    [33, 7],
    [400, 500],
  ])('keeps the amount of ink at %i by %i', (width, height) => {
    const page = noiseBitmap(317, 211)
    const { pixels } = scaleToGray(page, width, height)
    const ink = pixels.reduce((sum, tone) => sum + 255 - tone, 0) / (255 * pixels.length)
    expect(ink).toBeCloseTo(blackShare(page), 2)
  })
})

describe('previews', () => {
  it.each([
    ['fine', 2156],
    ['standard', 1078],
  ] as const)('shows a %s page in the proportions of the paper', (resolution, rows) => {
    expect(previewPage(createBitmap(1728, rows), resolution, 864)).toMatchObject({ width: 864, height: 1122 })
    expect(previewPage(createBitmap(1728, rows), resolution)).toMatchObject({ width: 1728, height: 2244 })
    expect(previewPage(createBitmap(1728, rows), resolution, 1e9).width).toBe(1728)
    expect(previewPage(createBitmap(1728, rows), resolution, -5).width).toBe(16)
  })

  it('writes PNG that others read: two tones in full size, sixteen when it is smaller', async () => {
    const page = bitmapOf(
      1728,
      Array.from({ length: 2156 }, (_, y) => [y % 1000, (y % 1000) + 300]),
    )
    const full = await pixelsOf(previewPage(page, 'fine').png)
    expect(new Set(full)).toEqual(new Set([0, 255]))
    expect([full[299], full[300]]).toEqual([0, 255])
    const small = await pixelsOf(previewPage(page, 'fine', 333).png)
    expect(new Set(small).size).toBeGreaterThan(8)
    expect([...small].every((tone) => tone % 17 === 0)).toBe(true)
  })
})
