import { describe, expect, it } from 'vitest'
import { type Bitmap, repeatRows } from '../raster/bitmap.ts'
import { pageOfProse } from '../testing/read-again.ts'
import { faxPageOf, fedAt } from '../testing/turned-pages.ts'
import { turned } from '../tidy/orientation.ts'
import { recognizeWords } from './ocr.ts'
import type { PageWord } from '../raster/page-text.ts'

const isLong = Boolean(process.env['FAXDECK_LONG'])
const prose = pageOfProse('Times-Roman', 9, { max: 14 })
const words = prose.text.split(' ')

/** Which share of the words that are on a page was read, and of those that were read is not there. */
function compare(read: readonly PageWord[]): { found: number; invented: number } {
  const left = [...words]
  const invented = read.filter(({ text }) => {
    const at = left.indexOf(text)
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
  return { found: 1 - left.length / words.length, invented: invented.length / words.length }
}

/** Where the middle of the first long word stands, in shares of the page. */
const placeOf = (read: readonly PageWord[]) => {
  const { left, top, width, height } = read.find(({ text }) => text === 'Copyright')!
  return { x: left + width / 2, y: top + height / 2 }
}

let known: ReturnType<typeof placeOf> | undefined
const straight = async () => (known ??= placeOf(await recognizeWords(await faxPageOf(prose.pdf), ['eng'])))

/** Dust on one pixel in 250. */
function dusty(page: Bitmap): Bitmap {
  const bits = page.words.slice()
  let seed = 7
  const dice = (sides: number) => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0
    return Math.floor((seed / 2 ** 32) * sides)
  }
  for (let at = 0; at < (page.width * page.height) / 250; at++) {
    const x = dice(page.width)
    bits[dice(page.height) * page.rowWords + (x >>> 5)]! ^= 0x80000000 >>> (x & 31)
  }
  return { ...page, words: bits }
}

describe('the words of a page', { timeout: 120_000 }, () => {
  it.each(isLong ? [1, 2, 3] : [2])('are read and placed however it lies: after %i quarter turns', async (times) => {
    const upright = await straight()
    const read = await recognizeWords(turned(await faxPageOf(prose.pdf), times), ['eng'])
    expect(compare(read).found).toBeGreaterThan(0.98)
    expect(compare(read).invented).toBeLessThan(0.02)
    const { x, y } = [upright, { x: 1 - upright.y, y: upright.x }, { x: 1 - upright.x, y: 1 - upright.y }][times] ?? {
      x: upright.y,
      y: 1 - upright.x,
    }
    expect(Math.abs(placeOf(read).x - x)).toBeLessThan(0.01)
    expect(Math.abs(placeOf(read).y - y)).toBeLessThan(0.01)
  })

  it('are read and placed on a page that was fed askew', async () => {
    const page = await fedAt(await faxPageOf(prose.pdf), 2)
    const read = await recognizeWords(page, ['eng'])
    expect(compare(read).found).toBeGreaterThan(0.9)
    // Turned clockwise about the middle, a line rises by its distance from there to the left.
    const { x, y } = await straight()
    const slope = Math.tan((2 * Math.PI) / 180)
    expect(placeOf(read).y).toBeCloseTo(y + ((x - 0.5) * slope * 1728) / 2156, 2)
    expect(placeOf(read).x).toBeCloseTo(x + ((0.5 - y) * slope * 2156) / 1728, 2)
  })

  it.each([
    ['small letters', async () => faxPageOf(pageOfProse('Times-Roman', 6, { max: 9 }).pdf), 0.95],
    ['dust', async () => dusty(await faxPageOf(prose.pdf)), 0.9],
    ['the rows of the standard resolution', async () => repeatRows(await faxPageOf(prose.pdf, 'standard'), 2), 0.9],
  ])('are read despite %s', async (_what, make, least) => {
    expect(compare(await recognizeWords(await make(), ['eng'])).found).toBeGreaterThan(least)
  })
})
