import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { createDocuments } from './documents.ts'
import { defaultLimits } from './base/limits.ts'
import { testFolder } from './testing/judges.ts'
import { encryptedPdf, letterPdf, pdfOf, slowParts, slowPdf, streamOf, textAt } from './testing/pdf-samples.ts'
import { fineLetter, photo } from './testing/samples.ts'

// Workers and judges take their time on a machine that is busy with other tests.
vi.setConfig({ testTimeout: 60_000 })

const documents = createDocuments({ threads: 2 })
afterAll(() => documents.close())

const refusal = (code: string, sentence: RegExp) =>
  expect.objectContaining({ code, sentence: expect.stringMatching(sentence) })
const latin1 = (text: string) => Buffer.from(text, 'latin1')

/** A PNG header that promises an image of any size. */
async function hugePng(width: number, height: number): Promise<Buffer> {
  const png = await photo(8, 8).png().toBuffer()
  png.writeUInt32BE(width, 16)
  png.writeUInt32BE(height, 20)
  return png
}

describe('refusing documents', () => {
  it.each([
    ['nothing', 'empty', /is empty/, ''],
    ['white space', 'empty', /no visible/, ' \n\t '],
    ['junk', 'unsupported', /not a PDF, a text or an image/, 'junk\x01\x02'],
    ['a PDF that ends after its header', 'broken', /damaged/, '%PDF-1.4\n%broken'],
    ['a letter outside the fonts', 'unsupported', /U\+E000/, '\xee\x80\x80'],
    ['a broken TIFF', 'broken', /TIFF file is damaged/, 'II*\0\xff\xff\0\0'],
    ['a PNG of nothing', 'broken', /PNG image is damaged/, '\x89PNG\r\n\x1a\n'],
    ['a JPEG of nothing', 'broken', /JPEG image is damaged/, '\xff\xd8\xff\xe0'],
  ])('refuses %s', async (_name, code, sentence, content) => {
    await expect(documents.inspect(latin1(content))).rejects.toEqual(refusal(code, sentence))
  })

  it('refuses an encrypted PDF, one without pages, one with pages missing and one that is cut off', async () => {
    await expect(documents.inspect(encryptedPdf())).rejects.toEqual(refusal('encrypted', /password/))
    await expect(documents.inspect(pdfOf([]))).rejects.toEqual(refusal('empty', /no pages/))
    const missing = latin1(letterPdf(3).toString('latin1').replace('/Count 3', '/Count 9'))
    await expect(documents.inspect(missing)).rejects.toEqual(refusal('broken', /Page 4/))
    const whole = letterPdf(20)
    await expect(documents.inspect(whole.subarray(0, whole.length - 2000))).rejects.toEqual(
      refusal('broken', /its end is missing/),
    )
    const unfinishedUpdate = Buffer.concat([
      whole,
      Buffer.from(`99 0 obj\n<</Length 9000>>stream\n${'x'.repeat(6000)}`),
    ])
    await expect(documents.inspect(unfinishedUpdate)).rejects.toEqual(refusal('broken', /its end is missing/))
  })

  it('refuses pages of more than 200 inches and images of too many pixels, before decoding', async () => {
    await expect(documents.inspect(pdfOf([{}, { width: 14_401 }]))).rejects.toEqual(
      refusal('too_large', /Page 2 .* inches/),
    )
    expect(await documents.inspect(pdfOf([{ width: 14_400, height: 14_400 }]))).toMatchObject({ pages: 1 })
    await expect(documents.inspect(await hugePng(60_000, 60_000))).rejects.toEqual(
      refusal('too_large', /60000 by 60000/),
    )
  })

  it('refuses a PDF with an image that no memory holds, rather than leaving it out', async () => {
    const image = '/Type/XObject/Subtype/Image/Width 30000/Height 30000/ColorSpace/DeviceGray/BitsPerComponent 8'
    const pdf = pdfOf([{ content: '600 0 0 700 0 0 cm /X Do' }], [streamOf('x', image)])
    await expect(documents.inspect(pdf)).rejects.toEqual(refusal('too_large', /memory/))
    await expect(documents.page(pdf, 1, fineLetter)).rejects.toEqual(refusal('too_large', /memory/))
    expect(await documents.page(letterPdf(), 1, fineLetter)).toBeDefined()
  })

  it('refuses a PDF that would take too long to draw when it is handed in, on whichever page that is', async () => {
    const hasty = createDocuments({ threads: 1, limits: { ...defaultLimits, seconds: 2 } })
    const late = pdfOf([...Array.from({ length: 9 }, () => ({})), { content: '/X Do' }], slowParts())
    for (const pdf of [slowPdf(), late]) {
      await expect(hasty.inspect(pdf)).rejects.toEqual(refusal('too_slow', /too long/))
    }
    expect(await hasty.inspect(letterPdf(40))).toMatchObject({ pages: 40 })
    await hasty.close()
  })

  it('refuses images whose data is cut off or damaged', async () => {
    const jpeg = await photo().jpeg().toBuffer()
    const png = await photo().png().toBuffer()
    await expect(documents.inspect(jpeg.subarray(0, jpeg.length / 2))).rejects.toEqual(refusal('broken', /JPEG/))
    await expect(documents.inspect(png.subarray(0, png.length / 2))).rejects.toEqual(refusal('broken', /PNG/))
  })

  it('throws what Node throws for a file that is not there', async () => {
    const source = { path: '/nonexistent/letter.pdf' }
    const calls = [documents.inspect(source), documents.page(source, 1, fineLetter), documents.tiffToPdf(source)]
    const settled = await Promise.allSettled(calls)
    expect(settled).toEqual(
      calls.map(() => ({ status: 'rejected', reason: expect.objectContaining({ code: 'ENOENT' }) })),
    )
  })

  it('refuses a JPEG 2000 image and an office document with advice', async () => {
    await expect(documents.inspect(latin1('\0\0\0\x0cjP  \r\n\x87\n'))).rejects.toEqual(refusal('unsupported', /JPEG/))
    await expect(documents.inspect(latin1('PK\x03\x04'))).rejects.toEqual(refusal('unsupported', /PDF/))
  })

  it('refuses a form whose pages another program makes', async () => {
    const form = pdfOf(
      [{ content: textAt(72, 720, 12, 'Please wait...') }],
      [],
      '',
      '/AcroForm<</XFA()>>/NeedsRendering true',
    )
    await expect(documents.inspect(form)).rejects.toEqual(refusal('unsupported', /Adobe Reader/))
  })

  it('keeps to its limits in every call', async () => {
    const small = createDocuments({ threads: 1, limits: { ...defaultLimits, bytes: 20_000, pages: 2, pixels: 10_000 } })
    const expectRefused = (source: Uint8Array, code: string, sentence: RegExp) =>
      Promise.all(
        [
          small.inspect(source),
          small.toTiff(source, '/nonexistent/fax.tif', fineLetter),
          small.page(source, 1, fineLetter),
        ].map((call) => expect(call).rejects.toEqual(refusal(code, sentence))),
      )
    await expectRefused(letterPdf(3), 'too_many_pages', /2 pages/)
    await expectRefused(letterPdf(30), 'too_large', /MB/)
    await expectRefused(await photo(200, 200).jpeg().toBuffer(), 'too_large', /200 by 200 pixels/)
    await small.close()
  })
})

describe('the pool', () => {
  it('ends a task that takes too long, says so, and serves the next', async () => {
    const hasty = createDocuments({ threads: 1, limits: { ...defaultLimits, seconds: 1 } })
    const slow = hasty.page(slowPdf(), 1, fineLetter)
    const waiting = [1, 2, 3].map(() => hasty.inspect(letterPdf()))
    const [first, ...others] = await Promise.allSettled([slow, ...waiting])
    expect(first).toEqual({ status: 'rejected', reason: refusal('too_slow', /too long/) })
    for (const call of others) expect(call).toMatchObject({ status: 'fulfilled', value: { pages: 1 } })
    await hasty.close()
  })

  it('counts work and not the time that a busy machine lets a task wait', async () => {
    // As many busy threads as there are processors, twice: every task waits more than it works.
    const busy = Array.from({ length: 2 * availableParallelism() }, () => new Worker('for (;;) {}', { eval: true }))
    const patient = createDocuments({ threads: 2, limits: { ...defaultLimits, seconds: 3 } })
    try {
      const call = patient.toTiff(letterPdf(36), join(testFolder(), 'long.tif'), fineLetter)
      await expect(call).resolves.toMatchObject({ pages: 36 })
    } finally {
      await Promise.all([patient.close(), ...busy.map((worker) => worker.terminate())])
    }
  })

  it('says it once to each of several callers, and to nobody else', async () => {
    // A rejection that nobody hears would fail the run.
    const hasty = createDocuments({ threads: 2, limits: { ...defaultLimits, seconds: 0.001 } })
    const calls = [1, 2, 3, 4].map(() => hasty.inspect(letterPdf()))
    const settled = await Promise.allSettled(calls)
    expect(settled).toEqual(calls.map(() => ({ status: 'rejected', reason: refusal('too_slow', /too long/) })))
    await hasty.close()
  })

  it('serves a page that someone waits for before the rest of a long document', async () => {
    const single = createDocuments({ threads: 1 })
    const order: string[] = []
    const long = single.page(letterPdf(200), 200, fineLetter).then(() => order.push('first'))
    const many = Promise.all(
      [1, 2, 3].map(() => single.toPdf(Buffer.from('later'), { paper: 'a4' }).then(() => order.push('later'))),
    )
    const urgent = single.inspect(letterPdf()).then(() => order.push('urgent'))
    await Promise.all([long, many, urgent])
    expect(order).toEqual(['first', 'urgent', 'later', 'later', 'later'])
    await single.close()
  })

  it('fails calls under way when it is closed, and calls after that', async () => {
    const closed = createDocuments({ threads: 1 })
    const calls = [1, 2, 3].map(() => closed.page(slowPdf(), 1, fineLetter))
    const settled = Promise.allSettled(calls)
    await closed.close()
    expect((await settled).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
    await expect(closed.inspect(letterPdf())).rejects.toThrow(/closed/)
  })
})
