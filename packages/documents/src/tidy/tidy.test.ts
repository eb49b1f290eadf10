import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Bitmap, createBitmap, fillRun, repeatRows, sameBitmap } from '../raster/bitmap.ts'
import { createDocuments } from '../documents.ts'
import { requireJudge, runJudge, testFolder, writePages } from '../testing/judges.ts'
import { madePages } from '../testing/made-pages.ts'
import { pdfOf, textAt } from '../testing/pdf-samples.ts'
import { misread, pageOfProse } from '../testing/read-again.ts'
import { faxPageOf, fedAt } from '../testing/turned-pages.ts'
import { findLie, findTurns, turned, turnOver, turnRight } from './orientation.ts'
import { findSkew, level } from './skew.ts'
import { isBlankPage, tidyPage } from './tidy-page.ts'

const isLong = Boolean(process.env['FAXDECK_LONG'])
const fine = 196 / 204
const dots = { across: 204, down: 196 }
const prose = pageOfProse('Times-Roman', 9, { max: 30 })

describe('a page that was fed askew', () => {
  it.each(isLong ? [-4.3, -1.2, 0.6, 2, 4.6] : [-4.3, 0.6])(
    'by %f degrees is found to be, and lies level afterwards',
    async (degrees) => {
      const page = await fedAt(await faxPageOf(prose.pdf), degrees)
      const found = findSkew(page, fine)
      expect(found).toBeCloseTo(-degrees, 0.9)
      expect(findSkew(level(page, found, fine), fine)).toBe(0)
    },
  )

  it.runIf(isLong)('is read better once it is level', async (context) => {
    requireJudge(context, 'tesseract')
    const page = await fedAt(await faxPageOf(prose.pdf), 4.6)
    const before = await misread(page, 'fine', prose.text)
    const after = await misread(level(page, findSkew(page, fine), fine), 'fine', prose.text)
    expect(after).toBeLessThan(before)
  })

  it('stays as it is at the standard resolution unless it lies far askew', async () => {
    const page = await faxPageOf(prose.pdf, 'standard')
    expect(findSkew(await fedAt(page, 2, 'standard'), 98 / 204)).toBe(0)
    expect(findSkew(await fedAt(page, 4, 'standard'), 98 / 204)).toBeCloseTo(-4, 0.9)
  })
})

describe('a page that does not stand upright', () => {
  it.each([
    [90, 3],
    ...(isLong
      ? [
          [180, 2],
          [270, 1],
        ]
      : []),
  ])('after a turn of %i degrees needs %i quarters to the right', async (degrees, quarters) => {
    expect(findTurns(await fedAt(await faxPageOf(prose.pdf), degrees), dots)).toBe(quarters)
  })

  it.each(['fine', 'standard'] as const)(
    'is told by its writing for whoever reads it, at the %s resolution',
    async (resolution) => {
      const drawn = await faxPageOf(prose.pdf, resolution)
      const page = resolution === 'fine' ? drawn : repeatRows(drawn, 2)
      const quarters = ([0, 1, 2, 3] as const).map((times) => findLie(turned(page, times), dots).turns[0])
      expect(quarters).toEqual([0, 3, 2, 1])
    },
  )

  it('comes back after two halves, and after four quarters', async () => {
    const page = await faxPageOf(prose.pdf)
    expect(sameBitmap(turnOver(turnOver(page)), page)).toBe(true)
    expect(sameBitmap(turnOver(turnRight(turnRight(page))), page)).toBe(true)
  })
})

/** Numbers or words with a rule below each line, on paper of this size. */
function ruledPage(width: number, height: number, columns: number): Buffer {
  const lines = Array.from({ length: Math.floor((height - 120) / 18) }, (_, line) => {
    const y = height - 60 - line * 18
    const cells = Array.from({ length: columns }, (_column, at) =>
      textAt(60 + at * 80, y, 9, columns === 1 ? `Field ${line}` : String(((line + 3) * (at + 7) * 7919) % 99_999)),
    )
    return [...cells, `0.5 w 60 ${y - 4.5} m ${width - 60} ${y - 4.5} l S`].join('\n')
  })
  return pdfOf([{ width, height, content: lines.join('\n') }])
}

describe('a page that lies as it should', () => {
  it.each([
    ['numbers', 612, 792, 6],
    ['fields', 612, 792, 1],
  ])('is not turned over by the rules below its lines: %s', async (_what, width, height, columns) => {
    expect(findTurns(await faxPageOf(ruledPage(width, height, columns)), dots)).toBe(0)
  })

  it.each([
    ['numbers', 8],
    ['fields', 1],
  ])('is never turned over when it is a landscape page with rules, laid across: %s', async (_what, columns) => {
    expect(findTurns(await faxPageOf(ruledPage(792, 612, columns)), dots)).not.toBe(2)
  })

  it.each(Object.entries(madePages))('is neither turned nor leveled: %s', async (_name, make) => {
    const page = await faxPageOf(await make())
    expect(tidyPage(page, 196, { upright: true, deskew: true })).toMatchObject({ turns: 0, degrees: 0 })
    expect(isBlankPage(page)).toBe(false)
  })
})

/** Dust, the shadow of a lid, and a header line at the very top. */
function blankSide(): Bitmap {
  const page = createBitmap(1728, 2156)
  const dot = (x: number, y: number, size: number) => {
    for (let row = y; row < y + size; row++) fillRun(page.words, row * page.rowWords, x, x + size)
  }
  for (let at = 0; at < 60; at++) dot(100 + ((at * 379) % 1500), 200 + ((at * 997) % 1800), 1 + (at % 3))
  for (let x = 100; x < 1600; x += 30) dot(x, 30, 12)
  for (let y = 0; y < page.height; y++) fillRun(page.words, y * page.rowWords, 0, 20)
  return page
}

describe('a side with nothing on it', () => {
  it('is blank despite dust, shadows and a header line', () => {
    expect(isBlankPage(blankSide())).toBe(true)
  })

  it('is not blank once it has a page number of 8 points', async () => {
    const page = blankSide()
    const number = await faxPageOf(Buffer.from(pageOfProse('Helvetica', 8, { max: 1 }).pdf))
    // One letter of it.
    for (let y = 150; y < 260; y++) {
      page.words[(y + 900) * page.rowWords + 27]! |= number.words[y * number.rowWords + 6]!
    }
    expect(isBlankPage(page)).toBe(false)
  })
})

describe('a received fax', { timeout: 120_000 }, () => {
  const documents = createDocuments({ threads: 1 })
  const all = { upright: true, deskew: true, despeckle: true, dropBlank: true }

  it('is tidied: its pages stand upright and level, blank sides are gone, and what was done is told', async (context) => {
    requireJudge(context, 'pdftoppm')
    const page = await faxPageOf(prose.pdf)
    const sheets = [page, turnOver(page), blankSide(), await fedAt(page, 2)]
    const path = join(testFolder(), 'received.tif')
    await writePages(path, sheets)
    const tidied = await documents.tidyToPdf({ path }, all)
    expect(tidied?.pages).toBe(3)
    expect(tidied?.notes.map(({ text }) => text)).toEqual([
      'Page 3 of the original is blank and left out. The original is kept.',
      'Page 2 was rotated 180°. The original is kept.',
      expect.stringMatching(
        /^Page 3 was straightened by 2\.\d degrees( and cleaned of specks)?\. The original is kept\.$/,
      ),
    ])
    const pdf = join(testFolder(), 'tidied.pdf')
    writeFileSync(pdf, tidied?.pdf ?? '')
    const shown = join(testFolder(), 'page')
    runJudge('pdftoppm', '-rx', '204', '-ry', '196', '-gray', pdf, shown)
    const [first, second] = [1, 2].map((at) => readFileSync(`${shown}-${at}.pgm`))
    const apart = (one: Buffer, other: Buffer) => one.filter((gray, at) => Math.abs(gray - other[at]!) > 128).length
    expect(apart(first!, second!) / first!.length).toBeLessThan(0.005)
    expect(apart(first!, Buffer.from(second!).reverse()) / first!.length).toBeGreaterThan(0.02)
  })

  it('stays as it came when there is nothing to do, or nothing but blank sides', async () => {
    const path = join(testFolder(), 'received.tif')
    await writePages(path, [await faxPageOf(prose.pdf)])
    expect(await documents.tidyToPdf({ path }, all)).toBeUndefined()
    await writePages(path, [blankSide()])
    expect(await documents.tidyToPdf({ path }, { dropBlank: true })).toBeUndefined()
  })
})

describe('a scan that is sent', { timeout: 120_000 }, () => {
  it('is tidied where that is wanted, counted without its blank sides, and told so', async () => {
    const page = await faxPageOf(prose.pdf)
    const path = join(testFolder(), 'scan.tif')
    await writePages(path, [turnOver(page), blankSide(), page])
    const documents = createDocuments({ threads: 1, tidying: { upright: true, dropBlank: true } })
    const inspected = await documents.inspect({ path })
    expect(inspected.pages).toBe(2)
    const target = join(testFolder(), 'fax.tif')
    const options = { resolution: 'fine', paper: 'letter' } as const
    const prepared = await documents.toTiff({ path }, target, options)
    expect(prepared.notes.map(({ page, text }) => [page, text])).toEqual([
      [1, 'Page 2 of the original is blank and left out. The original is kept.'],
      [1, 'Page 1 was rotated 180°. The original is kept.'],
    ])
    const straight = join(testFolder(), 'straight.tif')
    await writePages(straight, [page, page])
    await documents.toTiff({ path: straight }, straight, options)
    expect(readFileSync(target).equals(readFileSync(straight))).toBe(true)
    await documents.close()
  })

  it('stays as it is where nothing is wanted, and so does what is not a scan', async () => {
    const pdf = pageOfProse('Helvetica', 9).pdf
    const plain = createDocuments({ threads: 1 })
    const tidying = createDocuments({ threads: 1, tidying: { upright: true, deskew: true, despeckle: true } })
    const options = { resolution: 'fine', paper: 'letter' } as const
    const [one, other] = [join(testFolder(), 'one.tif'), join(testFolder(), 'other.tif')]
    await plain.toTiff(pdf, one, options)
    expect((await tidying.toTiff(pdf, other, options)).notes).toEqual([])
    expect(readFileSync(one).equals(readFileSync(other))).toBe(true)
    await Promise.all([plain.close(), tidying.close()])
  })
})
