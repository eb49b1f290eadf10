import fc from 'fast-check'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { type Bitmap, createBitmap, sameBitmap } from '../raster/bitmap.ts'
import { decodeT6 } from './t6-decode.ts'
import { encodeT6 } from './t6-encode.ts'
import { anyBitmap, bitmapOf, noiseBitmap } from '../testing/bitmap-samples.ts'
import { decodeByGhostscript, decodeByLibtiff, requireJudge, testFolder, writePages } from '../testing/judges.ts'
import { rounds } from '../testing/rounds.ts'

// Workers and judges take their time on a machine that is busy with other tests.
vi.setConfig({ testTimeout: 60_000 })

const faxWidths = [1728, 2048, 2432]

/** Every run length of both colors up to 2,700, a row each, between white pixels. */
function everyRun(): Bitmap {
  const width = 5400
  return bitmapOf(
    width,
    Array.from({ length: 2700 }, (_, run) => [run, 2 * run]),
  )
}

function expectRoundTrip(bitmap: Bitmap): void {
  const { bitmap: decoded, rows } = decodeT6(encodeT6(bitmap), bitmap.width, bitmap.height)
  expect(rows).toBe(bitmap.height)
  expect(sameBitmap(decoded, bitmap)).toBe(true)
}

describe('T.6 coding', () => {
  it('gives back every page it coded', () => {
    fc.assert(fc.property(anyBitmap([...faxWidths, 1, 7, 31, 32, 33, 64, 100], 40), expectRoundTrip), {
      numRuns: rounds(300),
    })
  })

  it('gives back runs of every length', () => expectRoundTrip(everyRun()))

  it.each(faxWidths)('gives back noise and tall pages %i pixels across', (width) => {
    expectRoundTrip(noiseBitmap(width, 50))
    expectRoundTrip(noiseBitmap(width, 1))
    expectRoundTrip(
      bitmapOf(
        width,
        Array.from({ length: 10_000 }, (_, y) => [y % width, (y % width) + 5]),
      ),
    )
  })

  it('codes a white row in one bit and ends with EOFB', () => {
    expect([...encodeT6(createBitmap(1728, 8))]).toEqual([0xff, 0x00, 0x10, 0x01])
  })

  it('codes the modes as T.6 Table 1 writes them', () => {
    // Horizontal: white 0, black 3; then V0 to the edge. Below it VR1, VR1, V0; then pass, V0.
    const page = bitmapOf(32, [[0, 3], [1, 4], []])
    const bits = '001' + '00110101' + '10' + '1' + '011' + '011' + '1' + '0001' + '1' + '000000000001'.repeat(2)
    const bytes = bits.match(/.{1,8}/g)?.map((byte) => Number.parseInt(byte.padEnd(8, '0'), 2))
    expect([...encodeT6(page)]).toEqual(bytes)
  })

  it('decodes any bytes to a page in bounded time', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), fc.constantFrom(1, 33, 1728), (bytes, width) => {
        const { bitmap, rows } = decodeT6(bytes, width, 50)
        expect(rows).toBeLessThanOrEqual(50)
        expect(bitmap.words.length).toBe(bitmap.rowWords * 50)
      }),
      { numRuns: rounds(2000) },
    )
  })

  it('decodes the sound rows of damaged data', () => {
    fc.assert(
      fc.property(anyBitmap([1728], 30), fc.nat(), fc.nat(7), (bitmap, at, bit) => {
        const bytes = encodeT6(bitmap)
        bytes[at % bytes.length]! ^= 1 << bit
        expect(decodeT6(bytes, bitmap.width, bitmap.height).rows).toBeLessThanOrEqual(bitmap.height)
      }),
      { numRuns: rounds(500) },
    )
  })

  it('stops at the end of data that is cut off', () => {
    const bytes = encodeT6(noiseBitmap(1728, 100))
    const { rows } = decodeT6(bytes.subarray(0, bytes.length / 2), 1728, 100)
    expect(rows).toBeGreaterThan(40)
    expect(rows).toBeLessThan(60)
  })

  it('is decoded pixel for pixel by libtiff and Ghostscript', async (context) => {
    for (const judge of ['tiffcp', 'gs'] as const) requireJudge(context, judge)
    const path = join(testFolder(), 'coded.tif')
    const sampled = fc.sample(anyBitmap(faxWidths, 60), { numRuns: 60, seed: 6 })
    const heights = [1, 10_000].map((rows) => noiseBitmap(1728, rows))
    const pages = [...sampled, ...heights, everyRun(), noiseBitmap(2432, 40)]
    await writePages(path, pages)
    for (const decode of [decodeByLibtiff, decodeByGhostscript]) {
      expect(decode(path).map((page, index) => sameBitmap(page, pages[index]!))).toEqual(pages.map(() => true))
    }
  })
})
