import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, describe, expect, it } from 'vitest'
import { createDocuments } from '../documents.ts'
import { requireJudge, runJudge, testFolder } from '../testing/judges.ts'
import { letterPdf, pdfOf, streamOf, textAt } from '../testing/pdf-samples.ts'
import type { PageWord } from '../raster/page-text.ts'

const documents = createDocuments({ threads: 1 })
afterAll(() => documents.close())

const paper = 'letter' as const
const english = { paper, from: 0, languages: ['eng'] }
const textOf = (words: readonly PageWord[] = []) => words.map(({ text }) => text).join(' ')

const letter = [
  'Please find the results of the examination of 14 March below.',
  'The values in brackets are those of last year (0.38 mg/l).',
  'Katharina Miller, born 7 September 1961, is to take 25 mg daily.',
  'Her next appointment is on Thursday at half past eleven.',
]
const lines = letter.map((line, at) => textAt(72, 700 - at * 20, 11, line.replace(/[()]/g, '\\$&'))).join('\n')

/** How many letters have to be changed, added or left out, in shares of the first text. */
function errorRate(truth: string, read: string): number {
  let before = Array.from({ length: read.length + 1 }, (_, at) => at)
  for (let i = 1; i <= truth.length; i++) {
    const row = [i]
    for (let j = 1; j <= read.length; j++) {
      const replaced = before[j - 1]! + (truth[i - 1] === read[j - 1] ? 0 : 1)
      row[j] = Math.min(before[j]! + 1, row[j - 1]! + 1, replaced)
    }
    before = row
  }
  return before[read.length]! / truth.length
}

async function asTiff(pdf: Uint8Array): Promise<Uint8Array> {
  const target = join(testFolder(), 'pages.tiff')
  await documents.toTiff(pdf, target, { paper, resolution: 'fine' })
  return new Uint8Array(readFileSync(target))
}

/** A picture that fills a page: 612 × 792 points, as a scanner makes it. */
async function scanOf(text: string): Promise<string> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1224" height="1584"><rect width="1224" height="1584" fill="white"/><text x="150" y="400" font-family="DejaVu Sans, sans-serif" font-size="30">${text}</text></svg>`
  const jpeg = await sharp(Buffer.from(svg)).flatten().jpeg().toBuffer()
  return streamOf(
    `${jpeg.toString('hex')}>`,
    '/Type/XObject/Subtype/Image/Width 1224/Height 1584/BitsPerComponent 8/ColorSpace/DeviceRGB/Filter[/ASCIIHexDecode/DCTDecode]',
  )
}

describe('the text of a page', () => {
  it('is the words of the document, where poppler finds them on the paper', async (context) => {
    requireJudge(context, 'pdftotext')
    const pdf = pdfOf([{ content: lines }])
    const path = join(testFolder(), 'letter.pdf')
    writeFileSync(path, pdf)
    const boxes = /<word xMin="([\d.]+)" yMin="([\d.]+)" xMax="([\d.]+)" yMax="([\d.]+)">(.*?)</g
    const judged = [...runJudge('pdftotext', '-bbox', path, '-').matchAll(boxes)]
    const { total, pages } = await documents.read(pdf, english)
    expect(total).toBe(1)
    expect(pages[0]!.source).toBe('document')
    expect(textOf(pages[0]!.words)).toBe(letter.join(' '))
    expect(judged.map((word) => word[5])).toEqual(pages[0]!.words.map(({ text }) => text))
    judged.forEach(([, left, top, right, bottom], at) => {
      const { left: ours, top: above, width, height } = pages[0]!.words[at]!
      const [x, y] = [(Number(left) + Number(right)) / 2, (Number(top) + Number(bottom)) / 2]
      // The scan line is 2 points narrower than letter paper.
      expect(Math.abs((ours + width / 2) * 609.9 + 1 - x)).toBeLessThan(4)
      expect(Math.abs((above + height / 2) * 792 - y)).toBeLessThan(5)
    })
  })

  it('is read page after page, several in one turn', async () => {
    const { total, pages } = await documents.read(letterPdf(45), english)
    expect(total).toBe(45)
    expect(pages).toHaveLength(20)
    const rest = await documents.read(letterPdf(45), { ...english, from: 40 })
    expect(rest.pages).toHaveLength(5)
    expect(textOf(rest.pages[4]!.words)).toContain('page 45:')
  })

  it('follows a page that is turned, and leaves out what lies beyond the paper', async () => {
    const content = `${textAt(100, 300, 12, 'Sideways')} ${textAt(3000, 300, 12, 'Beyond')}`
    const { pages } = await documents.read(pdfOf([{ content, entries: '/Rotate 90' }]), english)
    expect(textOf(pages[0]!.words)).toBe('Sideways')
    const { left, top, width, height } = pages[0]!.words[0]!
    expect(height * 2156).toBeGreaterThan(width * 1728 * 0.2)
    expect(left).toBeGreaterThan(0)
    expect(top).toBeGreaterThan(0)
  })

  it('of text files and web pages is that of the file', async () => {
    const text = await documents.read(Buffer.from('Grüße an Frau Wójcik\n'), english)
    expect(textOf(text.pages[0]!.words)).toBe('Grüße an Frau Wójcik')
    const html = await documents.read(Buffer.from('<!doctype html><p>Dear <b>Dr. Miller</b></p>'), english)
    expect(textOf(html.pages[0]!.words)).toBe('Dear Dr. Miller')
  })

  it('is recognized in the picture of a fax page, at no more than 4 wrong letters in 1,000', async () => {
    const { pages } = await documents.read(await asTiff(pdfOf([{ content: lines }])), english)
    expect(pages[0]!.source).toBe('recognized')
    expect(errorRate(letter.join(' '), textOf(pages[0]!.words))).toBeLessThanOrEqual(0.004)
    const exact = (await documents.read(pdfOf([{ content: lines }]), english)).pages[0]!.words
    const miller = (words: readonly PageWord[]) => words.find(({ text }) => text === 'Miller,')!
    const [seen, own] = [miller(pages[0]!.words), miller(exact)]
    expect(Math.abs(seen.left - own.left)).toBeLessThan(0.01)
    expect(Math.abs(seen.top - own.top)).toBeLessThan(0.01)
  }, 120_000)

  it.runIf(process.env['FAXDECK_LONG'])(
    'of a scan with a printed letterhead is both: what the document says and what its picture shows',
    async () => {
      const picture = await scanOf('Hemoglobin twelve point four')
      const content = `q 612 0 0 700 0 0 cm /X Do Q ${textAt(72, 740, 12, 'General Hospital')}`
      const { pages } = await documents.read(pdfOf([{ content }], [picture]), english)
      expect(pages[0]!.source).toBe('both')
      expect(textOf(pages[0]!.words)).toBe('General Hospital Hemoglobin twelve point four')
    },
    120_000,
  )

  it('is empty when no language is installed, and on a blank page', async () => {
    const tiff = await asTiff(pdfOf([{ content: lines }]))
    expect((await documents.read(tiff, { ...english, languages: ['xyz', '../etc'] })).pages[0]!.words).toEqual([])
    expect((await documents.read(pdfOf([{}]), english)).pages[0]!.words).toEqual([])
  })
})

describe('codes on the first page', () => {
  const content = 'FAXDECK-4711/2026'

  /** Two codes by another author's encoder, on white paper. */
  async function sheetOf(symbologies: readonly string[], data: string): Promise<Buffer> {
    const folder = testFolder()
    const drawn = symbologies.map((symbology, at) => {
      const path = join(folder, `${at}.png`)
      execFileSync('zint', ['-b', symbology, '-d', data, '-o', path, '--scale=2', '--quietzones', '--notext'])
      return { input: path, left: 150, top: 200 + at * 500 }
    })
    const paperSize = { width: 1700, height: 2200, channels: 3, background: 'white' } as const
    return sharp({ create: paperSize }).composite(drawn).png().toBuffer()
  }

  it('are read as zbar reads them', async (context) => {
    requireJudge(context, 'zint')
    requireJudge(context, 'zbarimg')
    const sheet = await sheetOf(['QRCODE', 'CODE128'], content)
    const codes = await documents.codes(sheet, { paper })
    expect(codes).toEqual([{ format: 'QRCode', text: content }])
    const page = await documents.page(sheet, 1, { paper, resolution: 'fine' })
    const path = join(testFolder(), 'page.png')
    writeFileSync(path, page!.png)
    expect(runJudge('zbarimg', '-q', '--raw', path).trim().split('\n')).toEqual([content, content])
  })

  for (const [symbology, data, format] of [
    ['DATAMATRIX', content, 'DataMatrix'],
    ['CODE128', content, 'Code128'],
    ['CODE39', 'FAX4711', 'Code39'],
    ['PDF417', content, 'PDF417'],
    ['EANX', '978020137962', 'EAN13'],
  ] as const) {
    it(`of the kind ${format} are read`, async (context) => {
      requireJudge(context, 'zint')
      const [code] = await documents.codes(await sheetOf([symbology], data), { paper })
      expect(code?.format).toBe(format)
      expect(code?.text).toContain(data)
    })
  }

  it('are none on a letter', async () => {
    expect(await documents.codes(letterPdf(), { paper })).toEqual([])
  })
})
