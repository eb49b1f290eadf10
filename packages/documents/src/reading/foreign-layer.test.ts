import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { createDocuments } from '../documents.ts'
import { PdfDocument } from '../pdf/document.ts'
import { startPdfium } from '../pdf/engine.ts'
import { DocumentProblem } from '../base/problem.ts'
import { type Bitmap, bitmapFromPacked } from '../raster/bitmap.ts'
import { endlessPdf, pdfOf, streamOf, textAt } from '../testing/pdf-samples.ts'
import { requireJudge, runJudge, testFolder } from '../testing/judges.ts'
import { picturedPdf, type PictureWay, pictureWays } from '../testing/provider-pdfs.ts'
import { defaultLimits } from '../base/limits.ts'
import { archiveMetadata } from './archive.ts'
import type { PageWord } from '../raster/page-text.ts'

vi.setConfig({ testTimeout: 120_000 })

const documents = createDocuments({ threads: 1 })
afterAll(() => documents.close())

const paper = 'letter' as const
const one = [[{ text: 'word', left: 0.7, top: 0.1, width: 0.1, height: 0.01 }]]
const said = [
  'Referral to the cardiology clinic',
  'Diagnosis: atrial fibrillation since March',
  'Please call before your appointment',
]
const letter = pdfOf([{ content: said.map((line, at) => textAt(72, 680 - 150 * at, 22, line)).join('\n') }])

/** A page of letter paper in pixels of a fax, upright or lying as a page that is shown turned. */
async function pixelsOf(pdf: Uint8Array, turns = 0): Promise<Bitmap> {
  const document = new PdfDocument(await startPdfium(), pdf, defaultLimits)
  const [width, height] = [1728, 2156]
  try {
    return document.render(0, { left: 0, top: 0, width, height, turned: false }, height, ({ pixels }) => {
      const packed = new Uint8Array((width * height) / 8)
      pixels.forEach((tone, at) => {
        if (tone < 128) packed[at >> 3]! |= 0x80 >> (at & 7)
      })
      const bitmap = bitmapFromPacked(packed, width, height)
      return turns === 2 ? upsideDown(bitmap) : bitmap
    })
  } finally {
    document.close()
  }
}

function upsideDown({ width, height, ...rest }: Bitmap): Bitmap {
  const packed = new Uint8Array((width * height) / 8)
  const isBlack = (x: number, y: number) => (rest.words[y * rest.rowWords + (x >> 5)]! >>> (31 - (x & 31))) & 1
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = (height - 1 - y) * width + (width - 1 - x)
      if (isBlack(x, y)) packed[at >> 3]! |= 0x80 >> (at & 7)
    }
  }
  return bitmapFromPacked(packed, width, height)
}

const readOn = async (pdf: Uint8Array): Promise<PageWord[][]> => {
  const { pages } = await documents.read(pdf, { paper, from: 0, languages: ['eng'], isReceived: true })
  return pages.map(({ words }) => words)
}

interface Box {
  text: string
  box: number[]
}

/** Words and their places as poppler finds them. */
function boxesOf(pdf: Uint8Array): Box[] {
  const path = join(testFolder(), 'judged.pdf')
  writeFileSync(path, pdf)
  const boxes = /<word xMin="(-?[\d.]+)" yMin="(-?[\d.]+)" xMax="(-?[\d.]+)" yMax="(-?[\d.]+)">(.*?)</g
  return [...runJudge('pdftotext', '-bbox', path, '-').matchAll(boxes)].map(([, left, top, right, bottom, text]) => ({
    text: text ?? '',
    box: [left, top, right, bottom].map(Number),
  }))
}

/** The pages as Ghostscript draws them, in the pixels of a fax and in gray at another resolution. */
function drawn(pdf: Uint8Array): Buffer[] {
  const path = join(testFolder(), 'drawn.pdf')
  writeFileSync(path, pdf)
  return [
    ['pbmraw', '204x196'],
    ['pgmraw', '150'],
  ].map(([device = '', dots = '']) => {
    const options = ['-q', '-dNOPAUSE', '-dBATCH', '-dUseCropBox', `-sDEVICE=${device}`, `-r${dots}`]
    runJudge('gs', ...options, `-sOutputFile=${path}.${device}`, path)
    return readFileSync(`${path}.${device}`)
  })
}

/** What ISO 19005-2 asks of a file like ours and can be seen from outside; veraPDF was not to be had. */
function expectArchive(pdf: Uint8Array): void {
  const text = Buffer.from(pdf).toString('latin1')
  for (const part of ['<pdfaid:part>2<', '<pdfaid:conformance>U<', '/GTS_PDFA1', '/ID[<', '/ToUnicode', '/FontFile2']) {
    expect(text).toContain(part)
  }
  expect(text).toMatch(/^%PDF-1\.[4-7]\n%[\x80-\xff]{4}/)
  for (const part of [
    '/DeviceRGB',
    '/DeviceCMYK',
    '/Encrypt',
    '/LZWDecode',
    '/JavaScript',
    '/SMask',
    '/EmbeddedFile',
  ]) {
    expect(text).not.toContain(part)
  }
  expect(text).not.toMatch(/\/Interpolate\s+true/)
}

/** The words of the letter, which stand on pictures of it in the same places. */
const knownWords = async () => readOn(letter)

/** The same file saying that it is PDF/A. */
function claiming(pdf: Buffer): Buffer {
  const claim = `99 0 obj\n${streamOf(archiveMetadata.toString('latin1'), '/Type/Metadata/Subtype/XML')}\nendobj\n`
  const text = pdf.toString('latin1').replace('/AcroForm 4 0 R', '/AcroForm 4 0 R/Metadata 99 0 R')
  return Buffer.from(text.replace('%PDF-1.7\n', `%PDF-1.7\n${claim}`), 'latin1')
}

const ways = Object.keys(pictureWays) as PictureWay[]

describe('the text of a PDF that a provider brought', () => {
  it.runIf(process.env['FAXDECK_LONG']).for(ways)(
    'that was recognized stands where the picture shows it: %s',
    async (way, context) => {
      requireJudge(context, 'pdftotext')
      const pdf = await picturedPdf(way, await pixelsOf(letter))
      const layered = await documents.withText(pdf, await readOn(pdf), { paper })
      if (!layered) throw new Error('It has no text.')
      const [own, found] = [boxesOf(letter), boxesOf(layered)]
      expect(found.map(({ text }) => text)).toEqual(own.map(({ text }) => text))
      // The letters of the picture are tight in the box of recognized ones, not in that of a font.
      for (const [at, { box }] of found.entries()) {
        const [left = 0, top = 0, right = 0, bottom = 0] = own[at]?.box ?? []
        expect(Math.abs(box[0]! - left)).toBeLessThan(3)
        expect(Math.abs(box[2]! - right)).toBeLessThan(3)
        expect((box[1]! + box[3]!) / 2).toBeGreaterThan(top)
        expect((box[1]! + box[3]!) / 2).toBeLessThan(bottom)
      }
    },
  )

  it.for(ways)('changes no pixel, and makes it an archive: %s', async (way, context) => {
    requireJudge(context, 'gs')
    const pdf = await picturedPdf(way, await pixelsOf(letter))
    const layered = (await documents.withText(pdf, await knownWords(), { paper })) ?? Buffer.alloc(0)
    expectArchive(layered)
    const [before, after] = [drawn(pdf), drawn(layered)]
    expect(before.map((pixels, at) => pixels.equals(after[at]!))).toEqual([true, true])
  })

  it.for([
    [2, [0, 0]],
    [2, [36, 50]],
  ] as const)(
    'stands there on pages that are turned by %i quarters or whose corner is %j',
    async ([turns, box], context) => {
      for (const judge of ['pdftotext', 'gs'] as const) requireJudge(context, judge)
      const pdf = await picturedPdf('T.6', await pixelsOf(letter, turns), { turns, box: [...box] })
      const layered = (await documents.withText(pdf, await knownWords(), { paper })) ?? Buffer.alloc(0)
      expectArchive(layered)
      const [own, found] = [boxesOf(letter), boxesOf(layered)]
      expect(found.map(({ text }) => text).toSorted()).toEqual(own.map(({ text }) => text).toSorted())
      for (const { text, box: place } of found) {
        const there = own.find((each) => each.text === text)?.box ?? []
        expect(Math.abs(place[0]! - there[0]!)).toBeLessThan(3)
        expect(Math.abs((place[1]! + place[3]!) / 2 - (there[1]! + there[3]!) / 2)).toBeLessThan(6)
      }
      const [before, after] = [drawn(pdf), drawn(layered)]
      expect(before.map((pixels, at) => pixels.equals(after[at]!))).toEqual([true, true])
    },
  )

  it('is added to pages that show more than a picture, which are no archive, and stays out of what they say', async (context) => {
    for (const judge of ['pdftotext', 'gs', 'qpdf', 'pdfinfo'] as const) requireJudge(context, judge)
    const pdf = claiming(await picturedPdf('T.6', await pixelsOf(letter), { more: 'Received by the service' }))
    const [words = []] = await knownWords()
    const own = { text: 'Received', left: 0.12, top: 0.942, width: 0.06, height: 0.01 }
    const layered = (await documents.withText(pdf, [[...words, own]], { paper })) ?? Buffer.alloc(0)
    const texts = boxesOf(layered).map(({ text }) => text)
    expect(texts.filter((text) => text === 'Received')).toHaveLength(1)
    expect(texts).toEqual(expect.arrayContaining(['cardiology', 'fibrillation', 'appointment', 'service']))
    const [before, after] = [drawn(pdf), drawn(layered)]
    expect(before.map((pixels, at) => pixels.equals(after[at]!))).toEqual([true, true])
    const path = join(testFolder(), 'more.pdf')
    writeFileSync(path, layered)
    expect(runJudge('qpdf', '--check', path)).toContain('No syntax or stream encoding errors')
    expect(runJudge('pdfinfo', path)).toMatch(/Metadata Stream: +no/)
    writeFileSync(path, pdf)
    expect(runJudge('pdfinfo', path)).toMatch(/Metadata Stream: +yes/)
  })

  it('is left out of what has the words already, or has other pages', async () => {
    const pdf = await picturedPdf('T.6', await pixelsOf(letter))
    const words = await knownWords()
    expect(await documents.withText(letter, words, { paper })).toBeUndefined()
    expect(await documents.withText(pdf, [...words, []], { paper })).toBeUndefined()
  })

  it('is left out of what is signed or encrypted, which it would not be any more', async (context) => {
    const field = '<</FT/Sig/T(s)/V<</Type/Sig/Filter/Adobe.PPKLite/ByteRange[0 1 2 3]/Contents<00>>>>>'
    const signed = letter.toString('latin1').replace('/Fields[]', `/Fields[${field}]`)
    expect(await documents.withText(Buffer.from(signed, 'latin1'), one, { paper })).toBeUndefined()
    expect(await documents.withText(letter, one, { paper })).toBeDefined()
    requireJudge(context, 'qpdf')
    const path = join(testFolder(), 'plain.pdf')
    writeFileSync(path, letter)
    runJudge('qpdf', '--encrypt', '', 'owner', '256', '--', path, `${path}.sealed`)
    expect(await documents.withText({ path: `${path}.sealed` }, one, { paper })).toBeUndefined()
  })

  it('is not promised for what is cut off', async () => {
    for (const cut of [40, 200, 400]) {
      await expect(documents.withText(letter.subarray(0, cut), one, { paper })).rejects.toThrow(DocumentProblem)
    }
  })

  it.runIf(process.env['FAXDECK_LONG'])('is given up in time where a document has no end', async () => {
    await expect(documents.withText(endlessPdf(), one, { paper })).rejects.toThrow(DocumentProblem)
  })
})
