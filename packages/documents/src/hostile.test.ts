import { join } from 'node:path'
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { createDocuments } from './documents.ts'
import { defaultLimits } from './base/limits.ts'
import { DocumentProblem } from './base/problem.ts'
import { noiseBitmap } from './testing/bitmap-samples.ts'
import { testFolder, writePages } from './testing/judges.ts'
import { letterPdf, pdfOf } from './testing/pdf-samples.ts'
import { photo } from './testing/samples.ts'

// Workers and judges take their time on a machine that is busy with other tests.
vi.setConfig({ testTimeout: 60_000 })

const documents = createDocuments({
  threads: 2,
  limits: { ...defaultLimits, pages: 50, pixels: 2_000_000, seconds: 20 },
})
afterAll(() => documents.close())

/** `npm run test:long` tries far more. */
const times = process.env['FAXDECK_LONG'] ? 200 : 1

const options = { width: 100, resolution: 'standard', paper: 'letter' } as const

async function samples(): Promise<Buffer[]> {
  const path = join(testFolder(), 'fax.tif')
  await writePages(path, [noiseBitmap(1728, 40), noiseBitmap(200, 30)])
  const form = '<</Type/XObject/Subtype/Form/BBox[0 0 9 9]/Length 8>>stream\n0 0 9 9 re f\nendstream'
  const small = photo(64, 48)
  return [
    letterPdf(2),
    pdfOf(
      [{ entries: '/Annots[<</Subtype/Widget/FT/Tx/T(a)/Rect[9 9 90 90]/AP<</N 5 0 R>>>>]', content: '/X Do' }],
      [form],
    ),
    readFileSync(path),
    await small.clone().tiff({ compression: 'lzw' }).toBuffer(),
    await small.clone().jpeg().withMetadata({ orientation: 5 }).toBuffer(),
    await small.clone().png().toBuffer(),
    Buffer.from('Grüße, שלום, مرحبا\t\f\r\n'.repeat(30)),
  ]
}

/** Bytes changed, parts repeated or swapped with numbers that mean something, and the end cut off. */
function damage(sample: Buffer): fc.Arbitrary<Buffer> {
  const place = fc.nat(sample.length - 1)
  const change = fc.oneof(
    fc.tuple(place, fc.nat(255)).map(([at, byte]) => ({ at, bytes: [byte] })),
    fc
      .tuple(place, fc.constantFrom([0, 0, 0, 0], [255, 255, 255, 255], [127, 255, 255, 255]))
      .map(([at, bytes]) => ({ at, bytes })),
    fc
      .tuple(place, place, fc.integer({ min: 1, max: 40 }))
      .map(([at, from, length]) => ({ at, bytes: [...sample.subarray(from, from + length)] })),
  )
  return fc.tuple(fc.array(change, { minLength: 1, maxLength: 10 }), fc.option(place)).map(([changes, end]) => {
    const file = Buffer.from(sample)
    for (const { at, bytes } of changes) file.set(bytes.slice(0, file.length - at), at)
    return end === null ? file : file.subarray(0, end + 1)
  })
}

const answered = (call: Promise<unknown>) =>
  call.then(
    () => true,
    (error: unknown) => error instanceof DocumentProblem && error.sentence.endsWith('.'),
  )

describe('hostile documents', () => {
  it(
    'are all answered or refused with a sentence, and the pool goes on',
    { timeout: 300_000 + 60_000 * times },
    async () => {
      for (const sample of await samples()) {
        await fc.assert(
          fc.asyncProperty(damage(sample), async (file) => {
            const calls = [documents.inspect(file), documents.page(file, 1, options), documents.toPdf(file, options)]
            expect(await Promise.all(calls.map(answered))).toEqual([true, true, true])
          }),
          { numRuns: 40 * times },
        )
        expect(await documents.inspect(letterPdf())).toMatchObject({ pages: 1 })
      }
    },
  )

  it('of random bytes behind every signature are refused', { timeout: 300_000 + 60_000 * times }, async () => {
    const signatures = ['%PDF-1.4\n', '\x89PNG\r\n\x1a\n', '\xff\xd8\xff', 'II*\0\x08\0\0\0', 'MM\0*\0\0\0\x08', '']
    const file = fc
      .tuple(fc.constantFrom(...signatures), fc.uint8Array({ maxLength: 300 }))
      .map(([signature, bytes]) => Buffer.concat([Buffer.from(signature, 'latin1'), bytes]))
    await fc.assert(
      fc.asyncProperty(file, async (bytes) => {
        expect(await answered(documents.inspect(bytes))).toBe(true)
      }),
      { numRuns: 80 * times },
    )
  })
})
