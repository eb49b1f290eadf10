import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { defaultLimits } from './base/limits.ts'
import { PdfDocument } from './pdf/document.ts'
import { guardPdfium, isSound, startPdfium } from './pdf/engine.ts'
import { DocumentProblem } from './base/problem.ts'
import { decodeT4 } from './t4-t6/t4-decode.ts'
import { encodeT4 } from './t4-t6/t4-encode.ts'
import { decodeT6 } from './t4-t6/t6-decode.ts'
import { encodeT6 } from './t4-t6/t6-encode.ts'
import { anyBitmap, noiseBitmap } from './testing/bitmap-samples.ts'
import { testFolder, writePages } from './testing/judges.ts'
import { letterPdf } from './testing/pdf-samples.ts'
import { decodeTiffPage } from './tiff/decode.ts'
import { readTiff } from './tiff/read.ts'

/** `npm run test:long` tries far more: with the hostile documents beside this, over 200,000. */
const times = process.env['FAXDECK_LONG'] ? 250 : 1
vi.setConfig({ testTimeout: 60_000 + 12_000 * times })

setFlagsFromString('--expose-gc')
const collectOnce = runInNewContext('gc') as () => void
/** The memory of a buffer that one collection finds to be unused counts as used until the next. */
function collectGarbage(): void {
  collectOnce()
  collectOnce()
}

/** Bytes that are held after `work` and were not before. */
function heldAfter(work: () => void): number {
  const held = () => {
    collectGarbage()
    const { heapUsed, external } = process.memoryUsage()
    return heapUsed + external
  }
  const before = held()
  work()
  return held() - before
}

const maxHeld = 2 * 1024 * 1024
/** By which the memory of PDFium may grow for what a damaged document says of itself; it never shrinks. */
const maxGrown = 24 * 1024 * 1024

const damaged = (whole: Uint8Array) =>
  fc
    .tuple(fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { maxLength: 12 }), fc.nat(whole.length))
    .map(([changes, length]) => {
      const bytes = Uint8Array.from(whole)
      for (const [at, byte] of changes) bytes[at] = byte
      return bytes.subarray(0, length)
    })

const codings = ['T6', 'MH', 'MR', 'RLE'] as const

describe('the decoders', () => {
  it('give a page for any bytes and for any damage, and hold nothing', () => {
    const pages = fc.sample(anyBitmap([1728, 33], 40), { numRuns: 8, seed: 2 })
    const coded = pages.flatMap((page) => [
      encodeT6(page),
      encodeT4(page, { coding: 'MH', aligned: true }),
      encodeT4(page, { coding: 'MR', returnToControl: true }),
    ])
    const bytes = fc.oneof(fc.uint8Array({ maxLength: 500 }), ...coded.map(damaged))
    const held = heldAfter(() => {
      fc.assert(
        fc.property(bytes, fc.constantFrom(...codings), fc.constantFrom(1, 33, 1728, 2432), (data, coding, width) => {
          const { bitmap, rows } = coding === 'T6' ? decodeT6(data, width, 60) : decodeT4(data, width, 60, coding)
          expect([bitmap.width, bitmap.height]).toEqual([width, 60])
          expect(rows >= 0 && rows <= 60).toBe(true)
          // What lies beyond the edge of a row stays white.
          const beyond = width % 32 === 0 ? 0 : -1 >>> (width & 31)
          for (let y = 0; y < 60; y++) expect(bitmap.words[(y + 1) * bitmap.rowWords - 1]! & beyond).toBe(0)
        }),
        { numRuns: 400 * times },
      )
    })
    expect(held).toBeLessThan(maxHeld)
  })
})

describe('the TIFF reader', () => {
  it('reads or refuses any file with a sentence, within the memory of its limits', async () => {
    const folder = testFolder()
    const files: Uint8Array[] = []
    for (const [name, t4] of [
      ['t6', undefined],
      ['mr', { coding: 'MR' }],
      ['mh', { coding: 'MH', aligned: true }],
    ] as const) {
      await writePages(join(folder, name), [noiseBitmap(1728, 20), noiseBitmap(100, 10)], 196, t4)
      files.push(readFileSync(join(folder, name)))
    }
    const limits = { ...defaultLimits, pixels: 1_000_000, pages: 20 }
    const header = fc.constantFrom([0x49, 0x49, 42, 0, 8, 0, 0, 0], [0x4d, 0x4d, 0, 42, 0, 0, 0, 8])
    const invented = fc
      .tuple(header, fc.uint8Array({ maxLength: 400 }))
      .map(([head, rest]) => Buffer.from([...head, ...rest]))
    const held = heldAfter(() => {
      fc.assert(
        fc.property(fc.oneof(invented, ...files.map(damaged)), (file) => {
          try {
            for (const page of readTiff(file, limits)) decodeTiffPage(file, page)
          } catch (problem) {
            expect(problem).toBeInstanceOf(DocumentProblem)
          }
        }),
        { numRuns: 300 * times },
      )
    })
    expect(held).toBeLessThan(maxHeld)
  })
})

describe('PDFium', () => {
  it('gives back the memory of every document, sound or damaged', async () => {
    const pdfium = await startPdfium()
    const letter = letterPdf(2)
    const place = { left: 0, top: 0, width: 1728, height: 400, turned: false }
    const look = (file: Uint8Array) => {
      const pdf = new PdfDocument(pdfium, file, defaultLimits)
      try {
        pdf.measure()
        pdf.render(0, place, 400, () => undefined)
      } finally {
        pdf.close()
      }
    }
    const tryIt = (file: Uint8Array) => {
      try {
        guardPdfium(() => look(file))
      } catch (problem) {
        expect(problem).toBeInstanceOf(DocumentProblem)
      }
    }
    for (let count = 0; count < 20; count++) tryIt(letter)
    const before = pdfium.pdfium.HEAPU8.length
    for (let count = 0; count < 100; count++) tryIt(letter)
    expect(pdfium.pdfium.HEAPU8.length).toBe(before)
    const cut = fc.nat(letter.length).map((length) => letter.subarray(0, length))
    fc.assert(
      fc.property(cut, (file) => {
        if (isSound(pdfium)) tryIt(file)
      }),
      { numRuns: 40 * times },
    )
    expect(isSound(pdfium)).toBe(true)
    expect(pdfium.pdfium.HEAPU8.length - before).toBeLessThan(maxGrown)
  })
})
