import { describe, expect, it, vi } from 'vitest'
import { toBilevel } from './contrast/bilevel.ts'
import type { Tones } from './raster/paper.ts'
import { type Bitmap, createBitmap } from './raster/bitmap.ts'
import { bringBackLost } from './contrast/bring-back.ts'
import { defaultLimits } from './base/limits.ts'
import { findLost } from './contrast/lost-contrast.ts'
import { openPdf } from './pdf/pages.ts'
import { contrastPages } from './testing/contrast-pages.ts'
import { requireJudge, testFolder } from './testing/judges.ts'
import { lostWords, visibleWords } from './testing/words.ts'
import { thresholdTiles } from './raster/tile-band.ts'

vi.setConfig({ testTimeout: 120_000 })

const [width, height] = [640, 480]
const kinds = ['auto', 'text', 'photo'] as const satisfies Tones[]
const resolutions = ['fine', 'standard'] as const

const grayOf = (toneAt: (x: number, y: number) => number) =>
  Uint8Array.from({ length: width * height }, (_, at) => toneAt(at % width, Math.floor(at / width)))

const isBlack = ({ words }: Bitmap, x: number, y: number) =>
  ((words[y * (width / 32) + (x >> 5)]! >>> (31 - (x & 31))) & 1) === 1

/** Upright strokes of three pixels in lines 18 rows high. */
const isStroke = (x: number, y: number) => x >= 120 && x < 480 && y >= 64 && y < 384 && y % 32 < 18 && x % 20 < 3
/** Bars as high as a line but for a gap, on which the strokes stand. */
const onBar = (x: number, y: number, gap: number) => x >= 100 && x < 500 && y >= 56 && y < 376 && (y + 8) % 32 >= gap

/** Strokes of which nothing is seen: as black or as white as what is beside them, all along. */
function unseenStrokes(bitmap: Bitmap): number {
  let unseen = 0
  for (let top = 64; top < 384; top += 32) {
    for (let left = 120; left < 480; left += 20) {
      let black = 0
      for (let y = top + 1; y < top + 17; y++)
        for (let x = left - 4; x < left + 7; x++) black += isBlack(bitmap, x, y) ? 1 : 0
      if (black === 0 || black === 16 * 11) unseen++
    }
  }
  return unseen
}

describe('writing on grounds', () => {
  const grounds = [70, 100, 128, 150, 180, 205, 226]
  const cases = kinds.flatMap((tones) =>
    resolutions.flatMap((resolution) => [0, 3, 7].map((gap) => ({ tones, resolution, gap }))),
  )

  it.each(cases)('is seen on adjacent bars: $tones, $resolution, gap of $gap', ({ tones, resolution, gap }) => {
    for (const ground of grounds) {
      for (const ink of [0, 255].filter((tone) => Math.abs(tone - ground) >= 60)) {
        const page = grayOf((x, y) => (onBar(x, y, gap) ? (isStroke(x, y) ? ink : ground) : 255))
        const bitmap = toBilevel(page, width, height, { resolution, tones })
        expect([ground, ink, unseenStrokes(bitmap), bitmap.lost]).toEqual([ground, ink, 0, []])
      }
    }
  })

  it.each(kinds)('is seen on single bars that end within the blocks that are compared: %s', (tones) => {
    for (const ground of [78, 100, 133]) {
      // Nearly half of a tile each, above and below.
      for (const offset of [-23, -22]) {
        // Strokes of nine rows on bars of fourteen.
        const isType = (x: number, y: number) => x % 20 < 3 && y % 64 >= 35 + offset && y % 64 < 44 + offset
        const isBar = (y: number) => y % 64 >= 32 + offset && y % 64 < 46 + offset
        const page = grayOf((x, y) => (!isBar(y) || x < 64 || x >= 576 ? 255 : isType(x, y) ? 0 : ground))
        const bitmap = toBilevel(page, width, height, { resolution: 'standard', tones })
        let seen = 0
        for (let y = 40; y < height; y += 64) {
          for (let x = 100; x < 540; x += 20) {
            const row = Array.from({ length: 11 }, (_, at) => isBlack(bitmap, x - 4 + at, y + offset))
            if (row.includes(true) && row.includes(false)) seen++
          }
        }
        expect([ground, offset, seen, bitmap.lost]).toEqual([ground, offset, 22 * 7, []])
      }
    }
  })

  it.each(kinds)('is seen where black and white type stand on the same ground: %s', (tones) => {
    for (const ground of [90, 128, 165]) {
      const ink = (x: number, y: number) => (Math.floor(y / 32) % 2 === 0 || x < 240 ? 0 : 255)
      const page = grayOf((x, y) => (onBar(x, y, 0) ? (isStroke(x, y) ? ink(x, y) : ground) : 255))
      expect(unseenStrokes(toBilevel(page, width, height, { resolution: 'fine', tones }))).toBe(0)
    }
  })

  it.each(kinds)('is seen when it is gray on a black page: %s', (tones) => {
    for (const ink of [80, 120, 170, 255]) {
      const page = grayOf((x, y) => (isStroke(x, y) ? ink : 12))
      expect(unseenStrokes(toBilevel(page, width, height, { resolution: 'fine', tones }))).toBe(0)
    }
  })
})

describe('shapes', () => {
  it('are seen beside their label, and a box full of writing is cleared', () => {
    const disc = grayOf((x, y) =>
      Math.hypot(x - 320, y - 240) < 200 ? (x > 290 && x < 350 && isStroke(x, y) && y < 264 && y > 220 ? 0 : 170) : 255,
    )
    const bitmap = toBilevel(disc, width, height, { resolution: 'fine', tones: 'auto' })
    let black = 0
    for (let y = 100; y < 140; y++) for (let x = 300; x < 340; x++) black += isBlack(bitmap, x, y) ? 1 : 0
    expect(black / 1600).toBeGreaterThan(0.2)
  })
})

describe('a page of one pale shape', () => {
  it.each(kinds)('is not white: %s', (tones) => {
    const page = grayOf((x, y) => (Math.hypot(x - 320, y - 240) < 100 ? 195 : 255))
    const { words } = toBilevel(page, width, height, { resolution: 'fine', tones })
    expect(words.some((word) => word !== 0)).toBe(true)
  })
})

describe('the check of a page', () => {
  const page = grayOf((x, y) => (isStroke(x, y) ? 20 : onBar(x, y, 0) ? 150 : 255))
  const source = () => {
    const gray = { pixels: page, width, height }
    return { gray, counts: thresholdTiles(gray, 176).counts, resolution: 'fine' as const, isGrained: () => false }
  }
  const filled = (word: number) => {
    const bitmap = createBitmap(width, height)
    bitmap.words.fill(word)
    return bitmap
  }

  it.each([0, -1])('finds what was cleared or filled, and brings it back: %i', (word) => {
    const bitmap = filled(word)
    expect(findLost(bitmap, source()).size).toBeGreaterThan(50)
    expect(bringBackLost(bitmap, source())).toEqual([])
    expect(unseenStrokes(bitmap)).toBe(0)
  })

  it('finds nothing where all is seen', () => {
    const { bitmap } = thresholdTiles({ pixels: grayOf((x, y) => (isStroke(x, y) ? 20 : 255)), width, height }, 176)
    expect(findLost(bitmap, source()).size).toBe(0)
  })
})

describe('pages as programs make them', () => {
  const inSuite = new Set([
    'lines in Word green, gap 2.5',
    'rows of 0.5 with black type',
    'pie, separated, 0',
    'bar charts',
    'title on 0.6, 30 points, beside a picture',
    'dark page',
    'black and white type on 0.5',
  ])
  const pages = contrastPages().filter(([name]) => process.env['FAXDECK_LONG'] || inSuite.has(name))

  it.for(pages)('lose no word that poppler shows: %s', async ([, make], context) => {
    requireJudge(context, 'pdftoppm')
    requireJudge(context, 'pdftotext')
    const pdf = await make()
    const words = visibleWords(pdf, testFolder())
    expect(words.length).toBeGreaterThan(10)
    const opened = await openPdf(pdf, 'letter', defaultLimits, 'split')
    for (const resolution of resolutions) {
      for (const tones of kinds) {
        const bitmap = await opened.render(0, resolution, tones)
        expect([resolution, tones, lostWords(bitmap, words, resolution)]).toEqual([resolution, tones, []])
      }
    }
    opened.close?.()
  })
})
