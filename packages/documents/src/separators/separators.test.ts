import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inflateSync } from 'node:zlib'
import { afterAll, describe, expect, it } from 'vitest'
import { createDocuments } from '../documents.ts'
import { requireJudge, runJudge, testFolder } from '../testing/judges.ts'
import { letterPdf, pdfOf, textAt } from '../testing/pdf-samples.ts'
import { scanPage, scannedPile, type Scanning } from '../testing/scanned-pile.ts'

const documents = createDocuments({ threads: 1 })
afterAll(() => documents.close())

const paper = 'letter' as const
const code = `FAXDECK:${'Kq3_'.repeat(16)}`
const sheet = { number: '+1 555 555 0123', reference: 'Müller, 4711', code }

const drawn = async (pdf: Uint8Array) => (await documents.page(pdf, 1, { resolution: 'fine', paper }))!.png

async function marksOf(pdf: Uint8Array, scanning: Scanning) {
  const pile = await scannedPile([await scanPage(await drawn(pdf), scanning)])
  return documents.marks(await documents.toPdf(pile, { paper }), { paper })
}

describe('a separator sheet', () => {
  it('is one page that says where the pages go, and whose code another reader finds twice', async (context) => {
    requireJudge(context, 'zbarimg')
    requireJudge(context, 'pdftoppm')
    const folder = testFolder()
    const pdf = await documents.separatorSheet(sheet, { paper })
    expect((await documents.inspect(pdf)).pages).toBe(1)
    writeFileSync(join(folder, 'sheet.pdf'), pdf)
    const text = runJudge('pdftotext', '-layout', join(folder, 'sheet.pdf'), '-')
    expect(text).toContain('+1 555 555 0123')
    expect(text).toContain('Müller, 4711')
    for (const dpi of ['100', '200']) {
      runJudge('pdftoppm', '-gray', '-r', dpi, '-png', '-singlefile', join(folder, 'sheet.pdf'), join(folder, 'sheet'))
      const read = runJudge('zbarimg', '-q', '--raw', '-Sdisable', '-Sqr.enable', join(folder, 'sheet.png'))
      expect(read.trim().split('\n')).toEqual([code, code])
    }
  })

  it.each([
    ['as it is', {}],
    ['askew', { skew: 4 }],
    ['on its head', { skew: 180 }],
    ['on its side', { skew: 90 }],
    ['with specks', { noise: 0.02, skew: -2 }],
  ] as [string, Scanning][])('is read from a scan: %s', async (_how, scanning) => {
    const pdf = await documents.separatorSheet(sheet, { paper })
    expect(await marksOf(pdf, scanning)).toEqual([{ texts: [code], hasUnreadable: false }])
  })

  it('whose codes are both spoiled is not taken for a page of a letter', async () => {
    const pdf = await documents.separatorSheet(sheet, { paper })
    const [marks] = await marksOf(pdf, { hidden: 190 })
    expect(marks).toEqual({ texts: [], hasUnreadable: true })
  })

  it('is not seen in a letter, however many specks it has', async () => {
    expect(await marksOf(letterPdf(), { noise: 0.01 })).toEqual([{ texts: [], hasUnreadable: false }])
  })

  it('with a reference that no font can set is refused with the letters', async () => {
    const odd = { ...sheet, reference: '\u{1342F}\u{E0FF}' }
    await expect(documents.separatorSheet(odd, { paper })).rejects.toMatchObject({
      code: 'unsupported',
      sentence: expect.stringContaining('U+E0FF'),
    })
  })
})

describe('pages taken out of a PDF', () => {
  it('hold nothing of the other pages, which they may link to', async () => {
    const link = '/Annots[<</Type/Annot/Subtype/Link/Rect[0 0 99 99]/Dest[7 0 R/Fit]>>]'
    const pages = ['first', 'second', 'third'].map((word, at) => ({
      content: textAt(72, 700, 12, `${word} letter`),
      entries: at === 0 ? link : '',
    }))
    const taken = await documents.takePages(pdfOf(pages), { from: 0, to: 1 })
    expect((await documents.inspect(taken)).pages).toBe(1)
    expect(contentsOf(taken)).toContain('first letter')
    expect(contentsOf(taken)).not.toMatch(/second|third/)
    const rest = await documents.takePages(pdfOf(pages), { from: 1, to: 3 })
    expect((await documents.inspect(rest)).pages).toBe(2)
    expect(contentsOf(rest)).toMatch(/second letter[^]*third letter/)
    expect(contentsOf(rest)).not.toContain('first')
  })
})

describe('PDFs joined to one', () => {
  it('have all their pages, in the order given', async () => {
    const one = (word: string) => pdfOf([{ content: textAt(72, 700, 12, `${word} letter`), entries: '' }])
    const joined = await documents.joinPdfs([one('first'), one('second'), one('third')])
    const { pages } = await documents.read(joined, { paper, from: 0, languages: ['eng'] })
    expect(pages.map(({ words }) => words.map(({ text }) => text).join(' '))).toEqual([
      'first letter',
      'second letter',
      'third letter',
    ])
  })
})

/** A PDF with its compressed streams unpacked. */
function contentsOf(pdf: Uint8Array): string {
  const file = Buffer.from(pdf).toString('latin1')
  return file.replace(/stream\r?\n([^]*?)\r?\nendstream/g, (_whole, data: string) => {
    try {
      return inflateSync(Buffer.from(data, 'latin1')).toString('latin1')
    } catch {
      return data
    }
  })
}
