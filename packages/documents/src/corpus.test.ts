import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { defaultLimits } from './base/limits.ts'
import { openPdf } from './pdf/pages.ts'
import { useSystemFonts } from './fonts/system-fonts.ts'
import { contrastPages } from './testing/contrast-pages.ts'
import { type ForeignClass, foreignClasses, foreignPdfOf } from './testing/foreign-pages.ts'
import { requireJudge, testFolder } from './testing/judges.ts'
import { wordsRead } from './testing/read-again.ts'
import { lostWords, visibleWords } from './testing/words.ts'

vi.setConfig({ testTimeout: 600_000 })

const isLong = Boolean(process.env['FAXDECK_LONG'])
/** Pages of each class: with those of `contrast.test.ts` more than 300 in the long run. */
const pagesEach = isLong ? 24 : 1
const classes = Object.keys(foreignClasses) as ForeignClass[]
const resolutions = ['fine', 'standard'] as const

/** Classes whose words a reader of letters is made for, and the share of them that it has to find. */
const read = { 'TeX paper': 0.95, 'black and white scan': 0.95, form: 0.9 } as const satisfies Partial<
  Record<ForeignClass, number>
>

beforeAll(() => useSystemFonts(undefined))
afterAll(() => useSystemFonts(''))

describe('a corpus of pages as other programs make them', () => {
  it('has three hundred pages in the long run', () => {
    expect(classes.length * 24 + contrastPages().length).toBeGreaterThanOrEqual(300)
  })

  it.for(classes)('loses no word that poppler shows, and says so: %s', async (name, context) => {
    requireJudge(context, 'pdftoppm')
    requireJudge(context, 'pdftotext')
    const folder = testFolder()
    for (let number = 0; number < pagesEach; number++) {
      const pdf = await foreignPdfOf(name, number)
      const words = visibleWords(pdf, folder)
      expect(words.length).toBeGreaterThan(20)
      const opened = await openPdf(pdf, 'letter', defaultLimits, 'split')
      for (const resolution of resolutions) {
        const page = await opened.render(0, resolution, 'auto')
        expect([number, resolution, lostWords(page, words, resolution), page.lost]).toEqual([
          number,
          resolution,
          [],
          [],
        ])
      }
      opened.close?.()
    }
  })

  it.for(Object.entries(read).slice(isLong ? 0 : -1))(
    'is read again by tesseract at fine resolution: %s',
    async ([name, least], context) => {
      requireJudge(context, 'tesseract')
      requireJudge(context, 'pdftotext')
      for (let number = 0; number < (isLong ? 4 : 1); number++) {
        const pdf = await foreignPdfOf(name as ForeignClass, number)
        const opened = await openPdf(pdf, 'letter', defaultLimits, 'split')
        const found = await wordsRead(await opened.render(0, 'fine', 'auto'), 'fine')
        opened.close?.()
        const words = visibleWords(pdf, testFolder()).filter(({ text }) => /^[a-z]{5,}$/.test(text))
        const missed = words.filter(({ text }) => !found.has(text))
        expect(1 - missed.length / words.length, missed.map(({ text }) => text).join(' ')).toBeGreaterThan(least)
      }
    },
  )
})
