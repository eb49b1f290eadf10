import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createDocuments } from '../documents.ts'
import { requireJudge, runJudge, testFolder } from '../testing/judges.ts'
import { letterPdf, pdfOf, textAt } from '../testing/pdf-samples.ts'
import type { PageWord } from '../raster/page-text.ts'
import { addTextLayer } from './text-layer.ts'

const documents = createDocuments({ threads: 1 })
afterAll(() => documents.close())

const paper = 'letter' as const
const letterWidth = 609.88

const word = (text: string, left: number, top: number, width = 0.1, height = 0.012): PageWord => ({
  text,
  left,
  top,
  width,
  height,
})

/** Two fax pages as a PDF, as received ones are kept. */
async function faxPdf(): Promise<Uint8Array> {
  const target = join(testFolder(), 'pages.tiff')
  const content = textAt(72, 700, 12, 'A page')
  await documents.toTiff(pdfOf([{ content }, { content }]), target, { paper, resolution: 'fine' })
  return documents.tiffToPdf(new Uint8Array(readFileSync(target)))
}

const pages = [
  [word('Referral', 0.1, 0.2), word('of', 0.25, 0.2, 0.02), word('Müller', 0.3, 0.2), word('Щука', 0.5, 0.9)],
  [word('漢字', 0.4, 0.5)],
]

describe('the text layer of a PDF', () => {
  it('has its words where poppler looks for them, in any script', async (context) => {
    requireJudge(context, 'pdftotext')
    const path = join(testFolder(), 'layer.pdf')
    writeFileSync(path, addTextLayer(await faxPdf(), pages) ?? '')
    expect(runJudge('pdftotext', path, '-').split(/\s+/).filter(Boolean)).toEqual([
      'Referral',
      'of',
      'Müller',
      'Щука',
      '漢字',
    ])
    const boxes = /<word xMin="([\d.]+)" yMin="([\d.]+)" xMax="([\d.]+)" yMax="([\d.]+)">(.*?)</g
    const found = [...runJudge('pdftotext', '-bbox', path, '-').matchAll(boxes)]
    const given = pages.flat()
    expect(found).toHaveLength(given.length)
    const height = 792
    found.forEach(([, left, top, right, bottom], at) => {
      const { left: x = 0, top: y = 0, width = 0, height: h = 0 } = given[at] ?? {}
      expect(Number(left)).toBeCloseTo(x * letterWidth, 0)
      expect(Number(right)).toBeCloseTo((x + width) * letterWidth, 0)
      expect(Math.abs(Number(top) - y * height)).toBeLessThan(2)
      expect(Math.abs(Number(bottom) - (y + h) * height)).toBeLessThan(2)
    })
  })

  it('changes no pixel, as Ghostscript draws it, and leaves the file as it was in front of it', async (context) => {
    requireJudge(context, 'gs')
    const folder = testFolder()
    const before = await faxPdf()
    const after = addTextLayer(before, pages) ?? Buffer.alloc(0)
    expect(after.subarray(0, before.length).equals(Buffer.from(before))).toBe(true)
    const draw = (name: string, pdf: Uint8Array) => {
      const path = join(folder, name)
      writeFileSync(path, pdf)
      const device = ['-q', '-dNOPAUSE', '-dBATCH', '-sDEVICE=pbmraw', '-r204x196']
      runJudge('gs', ...device, `-sOutputFile=${path}.pbm`, path)
      return readFileSync(`${path}.pbm`)
    }
    expect(draw('after.pdf', after).equals(draw('before.pdf', before))).toBe(true)
  })

  it('embeds its font, and says what an archive asks for', async (context) => {
    requireJudge(context, 'pdffonts')
    const path = join(testFolder(), 'layer.pdf')
    const pdf = addTextLayer(await faxPdf(), pages) ?? Buffer.alloc(0)
    writeFileSync(path, pdf)
    // Name, type, encoding, embedded, subset, with a map to Unicode.
    expect(runJudge('pdffonts', path)).toMatch(/Glyphless\s+CID TrueType\s+Identity-H\s+yes yes yes/)
    const text = pdf.toString('latin1')
    for (const part of ['<pdfaid:part>2<', '<pdfaid:conformance>U<', '/GTS_PDFA1', '/ID[<'])
      expect(text).toContain(part)
  })

  it('is read by PDFium again, so that nobody recognizes the page twice', async () => {
    const pdf = addTextLayer(await faxPdf(), [
      Array.from({ length: 12 }, (_, at) => word(`w${at}`, 0.1, 0.05 * at)),
      [],
    ])
    const { pages: read } = await documents.read(pdf ?? Buffer.alloc(0), { paper, from: 0, languages: [] })
    expect(read[0]?.source).toBe('document')
    expect(read[0]?.words.map(({ text }) => text)).toEqual(Array.from({ length: 12 }, (_, at) => `w${at}`))
  })

  it('is not put into what was not made here, or has other pages', async () => {
    expect(addTextLayer(letterPdf(), [[]])).toBeUndefined()
    expect(addTextLayer(Buffer.from('%PDF-1.4\n'), [[]])).toBeUndefined()
    expect(addTextLayer(await faxPdf(), [[]])).toBeUndefined()
  })
})
