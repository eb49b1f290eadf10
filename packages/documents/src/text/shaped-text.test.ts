import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, it, onTestFinished, type TestContext, vi } from 'vitest'
import { createDocuments } from '../documents.ts'
import { shapeWith } from '../fonts/harfbuzz.ts'
import { openFont } from '../fonts/font.ts'
import { useSystemFonts } from '../fonts/system-fonts.ts'
import type { Bitmap } from '../raster/bitmap.ts'
import { requireJudge, runJudge, testFolder } from '../testing/judges.ts'
import { makeFont, makeJoiningFont } from '../testing/made-font.ts'
import { misread } from '../testing/read-again.ts'
import { blackShare, fineLetter, readPages } from '../testing/samples.ts'
import { defaultLimits } from '../base/limits.ts'
import { clustersOf } from './clusters.ts'
import { cell, layoutText, margin, textGrid } from './layout.ts'
import { openOwnPdf } from '../pdf/pages.ts'
import { textToPdf } from './pdf.ts'
import { missingShapes } from './typeset.ts'

vi.setConfig({ testTimeout: 60_000 })
const isLong = Boolean(process.env['FAXDECK_LONG'])
// A folder without fonts: other files of this process find what they found before.
afterAll(() => useSystemFonts(''))

/** Sentences as a clinic writes them, and tesseract's name for their language. */
const sentences = {
  Thai: ['tha', 'ผลการตรวจเลือดของผู้ป่วยอยู่ในเกณฑ์ปกติ กรุณานัดหมายเพื่อติดตามอาการอีกครั้งภายในสองสัปดาห์'],
  Devanagari: ['hin', 'रोगी का रक्तचाप सामान्य है। कृपया क्षत्रिय अस्पताल में दो सप्ताह बाद पुनः जाँच कराएँ।'],
  Bengali: ['ben', 'রোগীর রক্তচাপ স্বাভাবিক আছে। অনুগ্রহ করে দুই সপ্তাহ পরে আবার পরীক্ষা করান।'],
  Tamil: ['tam', 'நோயாளியின் இரத்த அழுத்தம் சாதாரணமாக உள்ளது. இரண்டு வாரங்களுக்குப் பிறகு மீண்டும் பரிசோதிக்கவும்.'],
} as const
type Sentence = keyof typeof sentences

/** The bundled DejaVu Sans Mono has Lao. */
const lao = 'ຄົນເຈັບນ້ຳໃຈດີ ກະລຸນາກັບມາອີກ'
const family = '👨‍👩‍👧'

function requireFont(context: TestContext, script: Sentence) {
  const path = `/usr/share/fonts/truetype/noto/NotoSans${script}-Regular.ttf`
  context.skip(!existsSync(path), `No font for ${script} is installed: install fonts-noto-core.`)
}

function requireLanguage(context: TestContext, language: string) {
  requireJudge(context, 'tesseract')
  const known = runJudge('tesseract', '--list-langs').split('\n').includes(language)
  context.skip(!known, `tesseract does not know ${language}: install tesseract-ocr-${language}.`)
}

function readByPoppler(pdf: Uint8Array): string {
  const path = join(testFolder(), 'text.pdf')
  writeFileSync(path, pdf)
  return runJudge('pdftotext', '-layout', path, '-').replaceAll('\f', '').trim()
}

/** The fax page of a text in the bundled fonts and those of a folder. */
async function pageOf(text: string, fonts = testFolder()): Promise<Bitmap> {
  useSystemFonts(fonts)
  const opened = await openOwnPdf(textToPdf(Buffer.from(text), 'letter', defaultLimits), 'letter', defaultLimits)
  onTestFinished(() => opened.close?.())
  return opened.render(0, 'fine', 'auto')
}

/** How much of the cells of the first line from one column to another is black. */
function inCells(page: Bitmap, from: number, to: number): number {
  const across = (cells: number) => (margin.across + cells * cell.width) / 1728
  return blackShare(page, across(from), margin.down / 2156, across(to), (margin.down + cell.height) / 2156)
}

const linesOf = (text: string) =>
  layoutText(text, 'letter', defaultLimits)
    .flat()
    .map((line) => line.text)

describe('shaping', () => {
  it('starts HarfBuzz for the first text that needs it, not for Latin, Chinese or Arabic', async () => {
    vi.resetModules()
    const compiled = vi.spyOn(WebAssembly, 'Module')
    onTestFinished(() => compiled.mockRestore())
    const fresh = await import('./pdf.ts')
    fresh.textToPdf(Buffer.from('Dear Dr. Müller, 😀 ☃ سلام שלום'), 'letter', defaultLimits)
    // What embeds fonts is a module of its own.
    expect(compiled).toHaveBeenCalledTimes(1)
    fresh.textToPdf(Buffer.from(lao), 'letter', defaultLimits)
    fresh.textToPdf(Buffer.from(`${lao} ${lao}`), 'letter', defaultLimits)
    expect(compiled).toHaveBeenCalledTimes(2)
  })

  it('chooses and places the glyphs that another build of HarfBuzz does', (context) => {
    requireJudge(context, 'hb-shape')
    const path = join(import.meta.dirname, '../../fonts/DejaVuSans.ttf')
    const options = ['--no-glyph-names', '--utf8-clusters', path]
    const theirs = runJudge('hb-shape', ...options, 'ນ້ຳໃຈດີ').trim()
    const start = (units: number) => Buffer.byteLength('ນ້ຳໃຈດີ'.slice(0, units))
    const ours = shapeWith(openFont('DejaVuSans'), 'ນ້ຳໃຈດີ').map(({ glyph, start: at, x, y, advance }) => {
      return `${glyph}=${start(at)}${x !== 0 || y !== 0 ? `@${x},${y}` : ''}+${advance}`
    })
    expect(`[${ours.join('|')}]`).toBe(theirs)
  })

  it('sets marks over their letter, without a cell of their own', async () => {
    const [bare, marked] = [await pageOf('ນ|'), await pageOf('ນ້|')]
    expect(inCells(marked, 0, 1)).toBeGreaterThan(inCells(bare, 0, 1))
    expect(inCells(marked, 1, 2)).toBeCloseTo(inCells(bare, 1, 2), 2)
    expect(inCells(marked, 2, 84)).toBe(0)
  })

  it('can be searched and copied: poppler reads the text as it was', (context) => {
    requireJudge(context, 'pdftotext')
    useSystemFonts('')
    expect(readByPoppler(textToPdf(Buffer.from(lao), 'letter', defaultLimits))).toBe(lao)
  })

  it('puts what follows a word on the grid again', async () => {
    const fonts = testFolder()
    // Each letter is 1.66 cells wide, so that two end in the fourth.
    writeFileSync(join(fonts, 'a.ttf'), makeFont({ character: 'ก', format: 4, longOffsets: true }))
    const [own, plain] = [await pageOf('กก|', fonts), await pageOf('abcd|', fonts)]
    expect(inCells(own, 4, 5)).toBeGreaterThan(0)
    expect(inCells(own, 4, 5)).toBe(inCells(plain, 4, 5))
    expect(inCells(own, 5, 84)).toBe(0)
    // Words with only a space between them keep the width of the space instead.
    expect(inCells(await pageOf('ก ก|', fonts), 5, 6)).toBe(inCells(await pageOf('abcde|', fonts), 5, 6))
  })

  it('works for documents too: HTML is set with shaped words, and what no font has is noted as one', async (context) => {
    requireJudge(context, 'pdftotext')
    const documents = createDocuments({ threads: 1, fonts: testFolder() })
    onTestFinished(() => documents.close())
    const html = Buffer.from(`<!doctype html><p>${`${lao} `.repeat(12)}<b>${lao}</b></p><p>${family}</p>`)
    const { notes } = await documents.inspect(html)
    expect(JSON.stringify(notes)).toContain(`printed as codes: ${family} (U+1F468 U+200D U+1F469 U+200D U+1F467).`)
    const read = readByPoppler(await documents.toPdf(html, { paper: 'a4' }))
    const expected = `${lao.repeat(13)}[U+1F468 U+200D U+1F469 U+200D U+1F467]`
    expect(read.replaceAll(/\s/g, '')).toBe(expected.replaceAll(/\s/g, ''))
  })
})

describe('lines of shaped text', () => {
  const { columns } = textGrid('letter')
  const cluster = fc.constantFrom('ນ້ຳ', 'ກ', 'ດີ', 'ເຈັບ', 'ອີ', ' ', 'a', '12', '.', '😀')

  it('end between clusters, never inside one, and lose nothing', () => {
    useSystemFonts('')
    fc.assert(
      fc.property(fc.array(cluster, { maxLength: 400 }), (parts) => {
        const text = parts.join('')
        const lines = linesOf(text)
        const own = clustersOf(text).filter((each) => each.trim() !== '')
        expect(lines.flatMap(clustersOf).filter((each) => each.trim() !== '')).toEqual(own)
        // No cluster of these is narrower than a third of a cell.
        for (const line of lines) expect(clustersOf(line).length).toBeLessThanOrEqual(3 * columns)
      }),
      { numRuns: isLong ? 100 : 10 },
    )
  })

  it('end between words where a language has no spaces', () => {
    useSystemFonts('')
    const words = [...new Intl.Segmenter('lo', { granularity: 'word' }).segment('ຄົນເຈັບກະລຸນາກັບມາອີກ'.repeat(12))]
    const starts = new Set(words.map(({ index }) => index))
    let at = 0
    for (const line of linesOf('ຄົນເຈັບກະລຸນາກັບມາອີກ'.repeat(12))) {
      expect(starts).toContain(at)
      at += line.length
    }
    expect(at).toBe('ຄົນເຈັບກະລຸນາກັບມາອີກ'.length * 12)
  })

  it('take time that grows with the length of hostile texts only', () => {
    useSystemFonts('')
    for (const unit of ['ກ', '\u0ec8', 'ກ\u0ec8\u0ec8', 'ກ\u200d', '😀\u200d😀', '🇩']) {
      const text = unit.repeat(isLong ? 20_000 : 4_000)
      try {
        layoutText(text, 'letter', { ...defaultLimits, pages: 1_000_000 })
      } catch (problem) {
        expect(problem).toMatchObject({ code: 'unsupported' })
      }
    }
  })
})

describe('what no font has', () => {
  it.each([
    ['a family, joined', family, `${family} (U+1F468 U+200D U+1F469 U+200D U+1F467)`],
    ['a skin tone', '👍🏽', '👍🏽 (U+1F44D U+1F3FD)'],
    ['a flag', '🇩🇪', '🇩🇪 (U+1F1E9 U+1F1EA)'],
    ['a flag of tags', '🏴󠁧󠁢󠁳󠁣󠁴󠁿', /🏴.* \(U\+1F3F4 U\+E0067 /u],
    ['a letter with its vowel', 'ที่', 'ที่ (U+0E17 U+0E35 U+0E48)'],
  ])('is named once, as one thing: %s', (_name, text, name) => {
    useSystemFonts('')
    expect(missingShapes(`a ${text} ${text}`)).toEqual([text])
    const named =
      typeof name === 'string' ? expect.stringContaining(`cannot draw: ${name}. `) : expect.stringMatching(name)
    expect(() => linesOf(`a ${text} ${text}`)).toThrow(expect.objectContaining({ sentence: named }))
  })

  it('is what no font joins: a sequence that one does is drawn as one picture', async () => {
    const fonts = testFolder()
    writeFileSync(join(fonts, 'a.ttf'), makeJoiningFont('👍', '🏽'))
    const [joined, one] = [await pageOf('👍🏽|', fonts), await pageOf('👍|', fonts)]
    expect(inCells(one, 0, 2)).toBeGreaterThan(0.2)
    expect(inCells(joined, 0, 2)).toBeCloseTo(inCells(one, 0, 2), 1)
    expect(inCells(joined, 3, 84)).toBe(0)
    useSystemFonts(fonts)
    // It has the parts of this one and does not join them.
    expect(missingShapes('👍🏽 🏽👍 👍🏽\u200d👍')).toEqual(['👍🏽\u200d👍'])
  })

  it('is all that a damaged font can cost: whatever its tables say, the text is set or refused', () => {
    const warned = vi.spyOn(process, 'emitWarning').mockReturnValue()
    onTestFinished(() => warned.mockRestore())
    const folder = testFolder()
    const font = makeJoiningFont('👍', '🏽')
    let drawn = 0
    // Odd, so that bytes of all places in a number are changed.
    for (let at = 0; at < font.length; at += isLong ? 1 : 17) {
      const damaged = Buffer.from(font)
      damaged[at] = 0xff - damaged[at]!
      writeFileSync(join(folder, 'a.ttf'), damaged)
      useSystemFonts(undefined)
      useSystemFonts(folder)
      try {
        textToPdf(Buffer.from('👍🏽'), 'letter', defaultLimits)
        drawn += 1
      } catch (problem) {
        expect(problem).toMatchObject({ code: 'unsupported' })
      }
    }
    expect(drawn).toBeGreaterThan(0)
  })

  it('is not asked of selectors that only say how a picture looks', () => {
    useSystemFonts('')
    expect(linesOf('☃\ufe0f ❤\ufe0e')).toHaveLength(1)
    expect(missingShapes('☃\ufe0f ❤\ufe0e')).toEqual([])
  })
})

describe('text in fonts of the system', () => {
  it.for((Object.keys(sentences) as Sentence[]).slice(0, isLong ? undefined : 1))(
    'is read back by poppler and by tesseract: %s',
    async (script, context) => {
      requireFont(context, script)
      const [language, text] = sentences[script]
      requireJudge(context, 'pdftotext')
      requireLanguage(context, language)
      const documents = createDocuments({ threads: 1, fonts: '/usr/share/fonts/truetype/noto' })
      onTestFinished(() => documents.close())
      const page = Buffer.from(`${text}\n`.repeat(3))
      expect(readByPoppler(await documents.toPdf(page, { paper: 'letter' })).replaceAll(/\s+/g, ' ')).toBe(
        `${text} `.repeat(3).trim(),
      )
      const path = join(testFolder(), 'fax.tif')
      await documents.toTiff(page, path, fineLetter)
      const wrong = await misread(readPages(path)[0]!, 'fine', `${text} `.repeat(3), language)
      expect(wrong).toBeLessThan(3)
    },
  )
})
