import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import sharp from 'sharp'
import { describe, expect, it, vi } from 'vitest'
import { type Bitmap, changeRow, findChanges, packBitmap, sameBitmap } from '../raster/bitmap.ts'
import { defaultLimits } from '../base/limits.ts'
import { decodeT4 } from './t4-decode.ts'
import { encodeT4, type T4Options } from './t4-encode.ts'
import { anyBitmap, bitmapOf, noiseBitmap } from '../testing/bitmap-samples.ts'
import {
  decodeByGhostscript,
  decodeByLibtiff,
  requireJudge,
  runJudge,
  testFolder,
  writePages,
} from '../testing/judges.ts'
import { decodeTiffPage } from '../tiff/decode.ts'
import { copyTiffToPdf } from '../tiff/pdf.ts'
import { readTiff } from '../tiff/read.ts'
import { rounds } from '../testing/rounds.ts'

// Workers and judges take their time on a machine that is busy with other tests.
vi.setConfig({ testTimeout: 60_000 })

const faxWidths = [1728, 2048, 2432]

const options: [string, T4Options][] = [
  ['MH', { coding: 'MH' }],
  ['MH on whole bytes', { coding: 'MH', aligned: true }],
  ['MH with its return to control', { coding: 'MH', returnToControl: true }],
  ['MR', { coding: 'MR' }],
  ['MR of standard pages', { coding: 'MR', k: 2 }],
  ['MR on whole bytes', { coding: 'MR', aligned: true }],
  ['MR with its return to control', { coding: 'MR', aligned: true, returnToControl: true }],
]

const anyOptions: fc.Arbitrary<T4Options> = fc.record({
  coding: fc.constantFrom('MH' as const, 'MR' as const),
  k: fc.constantFrom(1, 2, 4, 20),
  aligned: fc.boolean(),
  returnToControl: fc.boolean(),
})

function expectRoundTrip(bitmap: Bitmap, how: T4Options): void {
  const { bitmap: decoded, rows } = decodeT4(encodeT4(bitmap, how), bitmap.width, bitmap.height, how.coding)
  expect(rows).toBe(bitmap.height)
  expect(sameBitmap(decoded, bitmap)).toBe(true)
}

/** Every run length of both colors up to 2,430, a row each. */
const everyRun = () =>
  bitmapOf(
    4900,
    Array.from({ length: 2430 }, (_, run) => [run, 2 * run]),
  )

const tall = (width: number, rows: number) =>
  bitmapOf(
    width,
    Array.from({ length: rows }, (_, y) => [y % width, (y % width) + 5]),
  )

/** libtiff 4.5 has room for as many runs in a row of MH as there are pixels: none for white 0 before black 1, white 1… */
function fitsLibtiff(page: Bitmap): boolean {
  const changes = changeRow(page.width)
  return Array.from({ length: page.height }, (_, y) => findChanges(page, y, changes)).every((n) => n < page.width)
}

const samplePages = () => [
  ...fc.sample(anyBitmap(faxWidths, 60).filter(fitsLibtiff), { numRuns: 40, seed: 11 }),
  noiseBitmap(2432, 40),
  ...faxWidths.map((width) => tall(width, 1)),
  tall(1728, 10_000),
]

const bytesOf = (bits: string) => bits.match(/.{1,8}/g)?.map((byte) => Number.parseInt(byte.padEnd(8, '0'), 2)) ?? []
const eol = '000000000001'

describe('T.4 coding', () => {
  it('gives back every page it coded', () => {
    const widths = [...faxWidths, 1, 7, 31, 32, 33, 64, 100]
    fc.assert(fc.property(anyBitmap(widths, 40), anyOptions, expectRoundTrip), { numRuns: rounds(300) })
  })

  it.each(options)('gives back runs of every length, noise and tall pages in %s', (_name, how) => {
    for (const bitmap of [everyRun(), noiseBitmap(1728, 50), tall(2432, 10_000)]) expectRoundTrip(bitmap, how)
  })

  it('writes MH as T.4, 4.1 has it', () => {
    const page = bitmapOf(25, [[4, 7], []])
    // White 4, black 3, white 18; then white 25.
    const rows = [eol + '1011' + '10' + '0100111', eol + '0101011']
    expect([...encodeT4(page, { coding: 'MH' })]).toEqual(bytesOf(rows.join('')))
    expect([...encodeT4(page, { coding: 'MH', returnToControl: true })]).toEqual(bytesOf(rows.join('') + eol.repeat(6)))
  })

  it('writes MR as T.4, 4.2 has it: a tag behind each end of line, at most K − 1 rows that refer', () => {
    const page = bitmapOf(25, [[4, 7], [4, 8], [], []])
    const alone = '1011' + '10' + '0100111'
    // V0, VR1, V0; then pass, V0.
    const rows = [`${eol}1${alone}`, `${eol}0` + '1' + '011' + '1', `${eol}10101011`, `${eol}0` + '1']
    expect([...encodeT4(page, { coding: 'MR', k: 2 })]).toEqual(bytesOf(rows.join('')))
    const all = [...rows.slice(0, 2), `${eol}0` + '0001' + '1', rows[3]]
    expect([...encodeT4(page, { coding: 'MR', k: 4 })]).toEqual(bytesOf(all.join('')))
    const end = `${eol}1`.repeat(6)
    expect([...encodeT4(page, { coding: 'MR', returnToControl: true })]).toEqual(bytesOf(all.join('') + end))
  })

  it('ends every end-of-line code on a whole byte when it is asked to', () => {
    const page = bitmapOf(25, [[4, 7], []])
    const row = '1011' + '10' + '0100111'
    const bits = '0000' + eol + row + '0'.repeat(4 + 3) + eol + '0101011'
    expect([...encodeT4(page, { coding: 'MH', aligned: true })]).toEqual(bytesOf(bits))
  })

  it.each(options)('is read pixel for pixel by the image library in %s', async (_name, how) => {
    const path = join(testFolder(), 'fax.tif')
    const page = fc.sample(anyBitmap([1728], 60), { numRuns: 1, seed: 5 })[0]!
    await writePages(path, [page], 196, how)
    const black = await sharp(path).grayscale().negate().toColorspace('b-w').raw().toBuffer()
    const packed = packBitmap(page)
    const pixelAt = (at: number) => (packed[Math.floor(at / 1728) * 216 + ((at % 1728) >> 3)]! >> (7 - (at & 7))) & 1
    expect(black.every((tone, at) => tone === 255 * pixelAt(at))).toBe(true)
  })

  it.for(options)('is decoded pixel for pixel by libtiff and Ghostscript in %s', async ([, how], context) => {
    for (const judge of ['tiffcp', 'tiffinfo', 'gs'] as const) requireJudge(context, judge)
    const folder = testFolder()
    const pages = samplePages()
    await writePages(join(folder, 'coded.tif'), pages, 196, how)
    expect(runJudge('tiffinfo', '-D', join(folder, 'coded.tif'))).not.toMatch(/warning|error/i)
    for (const decode of [decodeByLibtiff, decodeByGhostscript]) {
      const decoded = decode(join(folder, 'coded.tif'))
      expect(decoded.map((page, index) => sameBitmap(page, pages[index]!))).toEqual(pages.map(() => true))
    }
  })

  it.for<[string, string]>([
    ['G4', 'tiffg4'],
    ['MH', 'tiffg3'],
    ['MR', 'tiffg32d'],
    ['MH without ends of line', 'tiffcrle'],
  ])('reads %s in strips, both bit orders, as Ghostscript writes it', async ([, device], context) => {
    requireJudge(context, 'gs')
    const folder = testFolder()
    const pages = fc.sample(anyBitmap(faxWidths, 60), { numRuns: 12, seed: 8 })
    await writePages(join(folder, 'ours.tif'), pages)
    const ours = readFileSync(join(folder, 'ours.tif'))
    writeFileSync(join(folder, 'fax.pdf'), copyTiffToPdf(ours, readTiff(ours, defaultLimits))!)
    for (const [order, strips] of [
      [1, 0],
      [2, 4096],
    ] as const) {
      const path = join(folder, `gs${order}.tif`)
      const how = [
        `-sDEVICE=${device}`,
        '-r204x196',
        '-dAdjustWidth=0',
        `-dFillOrder=${order}`,
        `-dMaxStripSize=${strips}`,
      ]
      runJudge('gs', '-q', '-dNOPAUSE', '-dBATCH', ...how, `-sOutputFile=${path}`, join(folder, 'fax.pdf'))
      const file = readFileSync(path)
      const read = readTiff(file, defaultLimits).map((page) => decodeTiffPage(file, page).bitmap)
      expect(read.map((bitmap, index) => sameBitmap(bitmap, pages[index]!))).toEqual(pages.map(() => true))
    }
  })

  it('reads what the image library writes', async () => {
    for (const page of fc.sample(anyBitmap(faxWidths, 60), { numRuns: 6, seed: 3 })) {
      const { width, height } = page
      const packed = packBitmap(page)
      const rowBytes = packed.length / height
      const gray = Buffer.from(
        Array.from({ length: width * height }, (_, at) => {
          const [x, y] = [at % width, Math.floor(at / width)]
          return packed[y * rowBytes + (x >> 3)]! & (0x80 >> (x & 7)) ? 0 : 255
        }),
      )
      for (const miniswhite of [true, false]) {
        const file = await sharp(gray, { raw: { width, height, channels: 1 } })
          .toColorspace('b-w')
          .tiff({ compression: 'ccittfax4', bitdepth: 1, miniswhite })
          .toBuffer()
        const [found] = readTiff(file, defaultLimits)
        expect(found?.photometric).toBe(miniswhite ? 0 : 1)
        expect(sameBitmap(decodeTiffPage(file, found!).bitmap, page)).toBe(true)
      }
    }
  })
})
