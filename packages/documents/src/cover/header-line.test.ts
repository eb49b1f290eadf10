import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { type Bitmap, createBitmap, fillRun } from '../raster/bitmap.ts'
import { createDocuments } from '../documents.ts'
import { addHeader, openHeader } from './header-line.ts'
import { defaultLimits } from '../base/limits.ts'
import { useSystemFonts } from '../fonts/system-fonts.ts'
import { testFolder } from '../testing/judges.ts'
import { makeCffFont } from '../testing/made-cff-font.ts'
import { blackShare, fineLetter, readPages } from '../testing/samples.ts'

vi.setConfig({ testTimeout: 60_000 })

const documents = createDocuments({ threads: 1 })
afterAll(() => documents.close())
// A folder without fonts: other files of this process find what they found before.
afterAll(() => useSystemFonts(''))

const header = { when: '21 Nov 2026, 16:05 GMT-5', sender: 'Example Clinic', station: '+15555550100' }
const line = createBitmap(1728, 40)
fillRun(line.words, 20 * line.rowWords, 100, 200)

/** A page with one black row at each of these places. */
function pageWith(height: number, ...rows: number[]): Bitmap {
  const page = createBitmap(1728, height)
  for (const y of rows) fillRun(page.words, y * page.rowWords, 0, 1728)
  return page
}
const inkedRows = ({ words, rowWords, height }: Bitmap) =>
  Array.from({ length: height }, (_, y) => y).filter((y) =>
    words.subarray(y * rowWords, (y + 1) * rowWords).some((word) => word !== 0),
  )

describe('the header line on a page', () => {
  it.each([
    ['takes the place of white rows at the top', pageWith(2156, 40, 2155), 2156, [20, 40, 2155]],
    ['moves the page down into white rows at the bottom', pageWith(2156, 10, 2000), 2156, [20, 40, 2030]],
    ['makes a page longer that has no room, by what is missing', pageWith(2156, 0, 2150), 2191, [20, 40, 2190]],
    ['stands alone on a blank page', pageWith(2156), 2156, [20]],
    ['stands on a page that is shorter than itself', pageWith(10), 40, [20]],
  ])('%s', (_name, page, height, rows) => {
    const headed = addHeader(page, line)
    expect(headed.height).toBe(height)
    expect(inkedRows(headed)).toEqual(rows)
  })

  it('says when, who, the number and the page, on every page at both resolutions', async () => {
    for (const resolution of ['fine', 'standard'] as const) {
      const path = join(testFolder(), `${resolution}.tif`)
      const text = Buffer.from('First page\fSecond page\fThird page')
      await documents.toTiff(text, path, { ...fineLetter, resolution, header })
      const pages = readPages(path)
      const rows = resolution === 'fine' ? 40 : 20
      expect(pages.map(({ height }) => height)).toEqual(Array(3).fill(resolution === 'fine' ? 2156 : 1078))
      const strips = await openHeader(header, 3, defaultLimits)
      pages.forEach((page, index) => {
        const drawn = strips.draw(index, resolution)
        expect(page.words.subarray(0, rows * page.rowWords)).toEqual(drawn.words)
        expect(blackShare(drawn)).toBeGreaterThan(0.01)
      })
      const [first, second] = [strips.draw(0, resolution), strips.draw(1, resolution)]
      expect(first.words).not.toEqual(second.words)
      strips.close()
    }
  })

  it('is shown on previews, and leaves the rest of the page as it is', async () => {
    const source = Buffer.from('Dear colleague')
    const plain = await documents.page(source, 1, fineLetter)
    const headed = await documents.page(source, 1, { ...fineLetter, header })
    expect(headed).toMatchObject({ width: 1728, height: plain?.height })
    expect(Buffer.compare(headed?.png ?? Buffer.alloc(0), plain?.png ?? Buffer.alloc(0))).not.toBe(0)
  })

  it('is set with fonts of the system, and names what no font has by its code', async () => {
    const folder = testFolder()
    writeFileSync(join(folder, 'a.otf'), makeCffFont({ character: '山', kind: 'cid' }))
    useSystemFonts(folder)
    const drawn = async (sender: string) => {
      const strips = await openHeader({ ...header, sender }, 1, defaultLimits)
      const strip = strips.draw(0, 'fine')
      strips.close()
      return strip.words
    }
    expect(await drawn('山')).not.toEqual(await drawn('[U+5C71]'))
    expect(await drawn('田')).toEqual(await drawn('[U+7530]'))
  })

  it('shortens a sender that is too long and keeps number and page', async () => {
    const long = await openHeader({ ...header, sender: 'W'.repeat(200) }, 100, defaultLimits)
    const short = await openHeader(header, 100, defaultLimits)
    const [wide, usual] = [long.draw(99, 'fine'), short.draw(99, 'fine')]
    const right = (strip: Bitmap) =>
      Array.from({ length: 40 }, (_, y) => strip.words.subarray(y * 54 + 40, y * 54 + 54))
    expect(right(wide)).toEqual(right(usual))
    long.close()
    short.close()
  })
})
