import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { type Bitmap, changeRow, findChanges, sameBitmap } from '../raster/bitmap.ts'
import { defaultLimits } from '../base/limits.ts'
import { blackRuns, endOfLine, whiteRuns } from './t4-codes.ts'
import { decodeT4 } from './t4-decode.ts'
import { anyBitmap, noiseBitmap } from '../testing/bitmap-samples.ts'
import { requireJudge, runJudge, testFolder, writePages } from '../testing/judges.ts'
import { decodeTiffPage } from '../tiff/decode.ts'
import { readTiff } from '../tiff/read.ts'
import { rounds } from '../testing/rounds.ts'

// Workers and judges take their time on a machine that is busy with other tests.
vi.setConfig({ testTimeout: 60_000 })

/** A row in one-dimensional coding, straight from the tables. */
function codeRow(bitmap: Bitmap, y: number): string {
  const changes = changeRow(bitmap.width)
  const count = findChanges(bitmap, y, changes)
  let bits = ''
  let from = 0
  for (let index = 0; from < bitmap.width; index++) {
    const to = index < count ? changes[index]! : bitmap.width
    const codes = index % 2 === 0 ? whiteRuns : blackRuns
    let run = to - from
    for (; run >= 2560 + 64; run -= 2560) bits += codes.at(-1)?.bits ?? ''
    if (run >= 64) bits += codes[63 + (run >> 6)]!.bits
    bits += codes[run & 63]!.bits
    from = to
  }
  return bits
}

function bytesOf(bits: string): Uint8Array {
  return Uint8Array.from(bits.match(/.{1,8}/g) ?? [], (byte) => Number.parseInt(byte.padEnd(8, '0'), 2))
}

function codeMH(bitmap: Bitmap): Uint8Array {
  const rows = Array.from({ length: bitmap.height }, (_, y) => endOfLine + codeRow(bitmap, y))
  return bytesOf(rows.join('') + endOfLine.repeat(6))
}

function codeRLE(bitmap: Bitmap): Uint8Array {
  const rows = Array.from({ length: bitmap.height }, (_, y) => codeRow(bitmap, y))
  return bytesOf(rows.map((row) => row.padEnd(Math.ceil(row.length / 8) * 8, '0')).join(''))
}

describe('T.4 decoding', () => {
  it('reads one-dimensional data with and without end-of-line codes', () => {
    fc.assert(
      fc.property(anyBitmap([1728, 2432, 33], 20), (bitmap) => {
        const mh = decodeT4(codeMH(bitmap), bitmap.width, bitmap.height, 'MH')
        const rle = decodeT4(codeRLE(bitmap), bitmap.width, bitmap.height, 'RLE')
        expect([mh.rows, rle.rows]).toEqual([bitmap.height, bitmap.height])
        expect(sameBitmap(mh.bitmap, bitmap) && sameBitmap(rle.bitmap, bitmap)).toBe(true)
      }),
    )
  })

  it('repeats the row above a damaged one and goes on at the next end of line', () => {
    const page = noiseBitmap(1728, 30)
    const rows = Array.from({ length: 30 }, (_, y) => codeRow(page, y))
    rows[10] = rows[10]!.slice(0, 200)
    const data = bytesOf(rows.map((row) => endOfLine + row).join('') + endOfLine.repeat(6))
    const decoded = decodeT4(data, 1728, 30, 'MH')
    expect(decoded.rows).toBe(29)
    const rowOf = (bitmap: Bitmap, y: number) => [
      ...bitmap.words.subarray(y * bitmap.rowWords, (y + 1) * bitmap.rowWords),
    ]
    expect(rowOf(decoded.bitmap, 10)).toEqual(rowOf(page, 9))
    expect(rowOf(decoded.bitmap, 29)).toEqual(rowOf(page, 29))
  })

  it('counts the rows that the data ends before, and none where it says that the page ends', () => {
    const page = noiseBitmap(1728, 30)
    const rows = Array.from({ length: 20 }, (_, y) => endOfLine + codeRow(page, y))
    expect(decodeT4(bytesOf(rows.join('')), 1728, 20, 'MH')).toMatchObject({ rows: 20, missing: 0 })
    expect(decodeT4(bytesOf(rows.join('')), 1728, 30, 'MH').missing).toBeGreaterThanOrEqual(9)
    expect(decodeT4(bytesOf(rows.join('') + endOfLine.repeat(6)), 1728, 30, 'MH')).toMatchObject({
      rows: 20,
      missing: 0,
    })
  })

  it('decodes any bytes to a page in bounded time', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 400 }),
        fc.constantFrom('MH' as const, 'MR' as const, 'RLE' as const),
        fc.constantFrom(1, 33, 1728),
        (bytes, coding, width) => {
          expect(decodeT4(bytes, width, 60, coding).rows).toBeLessThanOrEqual(60)
        },
      ),
      { numRuns: rounds(2000) },
    )
  })

  it.for<[string, string[]]>([
    ['MH', ['-c', 'g3:1d']],
    ['MH with filled lines', ['-c', 'g3:1d:fill']],
    ['MR', ['-c', 'g3:2d']],
    ['MR with filled lines', ['-c', 'g3:2d:fill']],
    ['MR in strips', ['-c', 'g3:2d', '-r', '16']],
    ['G4 in strips', ['-c', 'g4', '-r', '16']],
    ['G4 with reversed bits', ['-c', 'g4', '-f', 'lsb2msb']],
    ['MH with reversed bits', ['-c', 'g3:1d', '-f', 'lsb2msb']],
    ['big-endian G4', ['-c', 'g4', '-B']],
  ])('reads %s as libtiff writes it', async ([, options], context) => {
    requireJudge(context, 'tiffcp')
    const folder = testFolder()
    const pages = fc.sample(anyBitmap([1728, 2048, 2432], 60), { numRuns: 30, seed: 4 })
    await writePages(join(folder, 'ours.tif'), pages)
    runJudge('tiffcp', ...options, join(folder, 'ours.tif'), join(folder, 'theirs.tif'))
    const file = readFileSync(join(folder, 'theirs.tif'))
    const read = readTiff(file, defaultLimits).map((page) => decodeTiffPage(file, page))
    expect(read.map(({ rows }) => rows)).toEqual(pages.map(({ height }) => height))
    expect(read.map(({ bitmap }, index) => sameBitmap(bitmap, pages[index]!))).toEqual(pages.map(() => true))
  })
})
