import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { createDocuments } from '../documents.ts'
import { defaultLimits } from '../base/limits.ts'
import { faxWidth } from '../raster/paper.ts'
import { PdfDocument } from './document.ts'
import { startPdfium } from './engine.ts'
import { useSystemFonts } from '../fonts/system-fonts.ts'
import { testFolder } from '../testing/judges.ts'
import { makeFont } from '../testing/made-font.ts'
import { letterPdf, pdfOf } from '../testing/pdf-samples.ts'
import { fineLetter } from '../testing/samples.ts'

// Files of the same process find no fonts but the bundled ones.
beforeAll(() => useSystemFonts(''))
afterAll(() => useSystemFonts(''))

const size = 20
const advance = 30

const descriptor = (name: string, flags = 32) =>
  `/FontDescriptor<</Type/FontDescriptor/FontName/${name}/Flags ${flags}/FontBBox[-100 -200 1000 900]/ItalicAngle 0/Ascent 900/Descent -200/CapHeight 700/StemV 80>>`
const differences = (names: string, base = '') => `/Encoding<</Type/Encoding${base}/Differences[65${names}]>>`
const widths = `/FirstChar 65/LastChar 76/Widths[${'600 '.repeat(12)}]`
const simple = (kind: string, name: string, names: string) =>
  `<</Type/Font/Subtype/${kind}/BaseFont/${name}${widths}${differences(names)}${kind === 'TrueType' ? descriptor(name) : ''}>>`
const composite = (name: string, map: string, ordering: string) =>
  `<</Type/Font/Subtype/Type0/BaseFont/${name}/Encoding/${map}/DescendantFonts[<</Type/Font/Subtype/CIDFontType2/BaseFont/${name}` +
  `/CIDSystemInfo<</Registry(Adobe)/Ordering(${ordering})/Supplement 2>>/DW 1000${descriptor(name, 4)}>>]>>`

/** A page with each code on a place of its own. */
function pageOf(font: string, codes: readonly string[]): Buffer {
  const letters = codes.map((code, index) => `BT /F2 ${size} Tf ${20 + index * advance} 40 Td <${code}> Tj ET`)
  return pdfOf([{ width: 400, height: 100, content: letters.join('\n'), fonts: `/F2 ${font}` }])
}

const simpleCodes = (count: number) => Array.from({ length: count }, (_, index) => (65 + index).toString(16))

/** Which of the letters on such a page leave ink, and what is said of it. */
async function draw(file: Buffer, count: number) {
  const document = new PdfDocument(await startPdfium(), file, defaultLimits)
  const place = { left: 0, top: 0, width: 800, height: 200, turned: false }
  const inked = document.render(0, place, 200, ({ pixels }) =>
    Array.from({ length: count }, (_, letter) => {
      const from = (20 + letter * advance) * 2
      return Array.from({ length: 200 }).some((_row, y) =>
        pixels.subarray(y * faxWidth + from, y * faxWidth + from + 2 * size).some((gray) => gray < 128),
      )
    }),
  )
  const notes = document.notesOn(0)
  document.close()
  return { inked, notes }
}

describe('letters of fonts that a PDF does not contain', () => {
  it.each([
    [
      'Polish ones of a TrueType font',
      simple('TrueType', 'TimesNewRoman', '/Lslash/aogonek/eogonek/sacute/zdotaccent'),
    ],
    ['Polish ones of a standard font', simple('Type1', 'Times-Roman', '/Lslash/aogonek/eogonek/sacute/zdotaccent')],
    [
      'Cyrillic ones of a TrueType font',
      simple('TrueType', 'Arial', '/afii10017/afii10018/afii10065/afii10066/afii10072'),
    ],
    [
      'Cyrillic ones of a standard font',
      simple('Type1', 'Courier', '/afii10017/afii10018/afii10065/afii10066/afii10072'),
    ],
    ['Greek ones', simple('Type1', 'Helvetica-Bold', '/alpha/beta/gamma/Omega/Sigma')],
    ['Hebrew ones by their numbers', simple('Type1', 'Helvetica', '/uni05D0/uni05D1/uni05D2/uni05D3/uni05D4')],
  ])('are set in a bundled one: %s', async (_name, font) => {
    const drawn = await draw(pageOf(font, simpleCodes(5)), 5)
    expect(drawn).toEqual({ inked: [true, true, true, true, true], notes: [] })
  })

  it('are set in a font of the system when they are Chinese, Japanese or Korean, and named when that lacks them', async () => {
    const folder = testFolder()
    writeFileSync(join(folder, 'a.otf'), makeFont({ character: 'あ', format: 4, longOffsets: false }))
    useSystemFonts(folder)
    onTestFinished(() => useSystemFonts(''))
    for (const [font, codes] of [
      [composite('MS-Gothic', 'UniJIS-UCS2-H', 'Japan1'), ['3042', '65e5']],
      [composite('HeiseiMin-W3', '90ms-RKSJ-H', 'Japan1'), ['82a0', '93fa']],
    ] as const) {
      const { inked, notes } = await draw(pageOf(font, codes), 2)
      expect(inked).toEqual([true, false])
      expect(notes).toEqual([
        { kind: 'missing_letters', text: expect.stringContaining('no font on this server has 日 (U+65E5).') },
      ])
    }
  })

  it('are named when no font has them, each once, and as often as a page has some', async () => {
    const font = composite('STSong-Light', 'UniGB-UCS2-H', 'GB1')
    const { inked, notes } = await draw(pageOf(font, ['4f60', '597d', '4f60']), 3)
    expect(inked).toEqual([false, false, false])
    expect(notes.map(({ text }) => text)).toEqual([expect.stringContaining('你 (U+4F60), 好 (U+597D).')])
  })

  it('leave pages of ordinary letters as they are', async () => {
    const latin = pageOf('<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>', [
      '41',
      'e4',
      'f6',
      '80',
    ])
    expect(await draw(latin, 4)).toEqual({ inked: [true, true, true, true], notes: [] })
  })

  it('that are only there to be searched are not missed', async () => {
    const font = composite('STSong-Light', 'UniGB-UCS2-H', 'GB1')
    const content = 'BT 3 Tr /F2 20 Tf 20 40 Td <4f60> Tj ET'
    const file = pdfOf([{ width: 400, height: 100, content, fonts: `/F2 ${font}` }])
    expect((await draw(file, 1)).notes).toEqual([])
  })

  it('are told with the number of their page, with a cover before it, by the preview and the fax', async () => {
    const folder = testFolder()
    const documents = createDocuments({ threads: 1, fonts: folder })
    onTestFinished(() => documents.close())
    const file = pageOf(composite('STSong-Light', 'UniGB-UCS2-H', 'GB1'), ['4f60'])
    const missing = expect.objectContaining({ kind: 'missing_letters', text: expect.stringContaining('你 (U+4F60)') })
    expect((await documents.page(file, 1, fineLetter))?.notes).toEqual([missing])
    const target = join(folder, 'fax.tif')
    expect((await documents.toTiff(file, target, fineLetter)).notes).toEqual([expect.objectContaining({ page: 1 })])
    const blank = { to: null, toNumber: null, from: null, fromNumber: null, subject: null, note: null }
    const cover = { template: 'plain', ...blank, date: 'today' } as const
    const prepared = await documents.toTiff(file, target, { ...fineLetter, cover })
    expect(prepared.notes).toEqual([expect.objectContaining({ page: 2, kind: 'missing_letters' })])
    expect((await documents.toTiff(letterPdf(), target, fineLetter)).notes).toEqual([])
  })
})
