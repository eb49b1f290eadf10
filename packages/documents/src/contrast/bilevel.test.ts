import { join } from 'node:path'
import { readFileSync, writeFileSync } from 'node:fs'
import fc from 'fast-check'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { toBilevel } from './bilevel.ts'
import type { Tones } from '../raster/paper.ts'
import type { Bitmap } from '../raster/bitmap.ts'
import { createDocuments } from '../documents.ts'
import { defaultLimits } from '../base/limits.ts'
import { drawSvg, landscape, scan, signature } from '../testing/drawn-pictures.ts'
import { requireJudge, runJudge, testFolder } from '../testing/judges.ts'
import { madePages } from '../testing/made-pages.ts'
import { blackShare, fineLetter, readPages } from '../testing/samples.ts'
import { readTiff } from '../tiff/read.ts'

// Workers and judges take their time on a machine that is busy with other tests.
vi.setConfig({ testTimeout: 60_000 })

const documents = createDocuments({ threads: 2 })
afterAll(() => documents.close())

const [width, height] = [640, 480]

/** A gray page whose tones `toneAt` gives. */
function gray(toneAt: (x: number, y: number) => number): Uint8Array {
  return Uint8Array.from({ length: width * height }, (_, at) => toneAt(at % width, Math.floor(at / width)))
}

const make = (toneAt: (x: number, y: number) => number, tones: Tones = 'auto') =>
  toBilevel(gray(toneAt), width, height, { resolution: 'fine', tones })

const isBlack = ({ words }: Bitmap, x: number, y: number) =>
  ((words[y * (width / 32) + (x >> 5)]! >>> (31 - (x & 31))) & 1) === 1

/** Share of black pixels in a box given in pixels. */
const blackIn = (bitmap: Bitmap, left: number, top: number, right: number, bottom: number) =>
  blackShare(bitmap, left / width, top / height, right / width, bottom / height)

const inBox = (x: number, y: number) => x >= 100 && x < 500 && y >= 90 && y < 300
/** Upright strokes of three pixels, 18 apart, in lines. */
const isStroke = (x: number, y: number) => x >= 120 && x < 480 && y >= 110 && y < 280 && y % 32 < 18 && x % 18 < 3
/** Tones that change as those of photographs do. */
const photoTone = (x: number, y: number) => 120 + 60 * Math.sin(x / 40) * Math.cos(y / 30) + ((x * 7 + y * 13) % 12)

describe('black type on white', () => {
  it('is black where it is darker than the level', () => {
    fc.assert(
      // Tones further apart are writing on a dark ground.
      fc.property(fc.nat(128), fc.array(fc.nat(47), { minLength: 8, maxLength: 8 }), (least, tones) => {
        const bitmap = make((x, y) => (y >= 48 && y < 56 && x % 16 < 8 && x < 320 ? least + tones[y - 48]! : 255))
        for (let x = 0; x < 320; x++) expect(isBlack(bitmap, x, 50)).toBe(x % 16 < 8)
        expect(blackIn(bitmap, 330, 0, 640, 480)).toBe(0)
      }),
      { numRuns: 30 },
    )
  })

  it('leaves white white and black black, at both resolutions', () => {
    for (const [tone, share] of [
      [255, 0],
      [0, 1],
    ] as const) {
      for (const resolution of ['fine', 'standard'] as const) {
        const page = toBilevel(
          gray(() => tone),
          width,
          height,
          { resolution, tones: 'auto' },
        )
        expect(blackShare(page)).toBe(share)
      }
    }
  })

  it('of a light gray is whole, and the soft edges of black type do not grow', () => {
    const light = make((x, y) => (isStroke(x, y) ? 200 : 255))
    expect(isBlack(light, 127, 130)).toBe(true)
    expect(blackShare(light)).toBeCloseTo(blackShare(make((x, y) => (isStroke(x, y) ? 0 : 255))), 5)
    const soft = make((x, y) => (isStroke(x, y) ? 0 : isStroke(x - 1, y) || isStroke(x + 1, y) ? 205 : 255))
    expect(isBlack(soft, 129, 130)).toBe(false)
  })
})

describe('shades', () => {
  it.each([110, 160, 185, 217])('of tone %i behind black type are left out, and the type is whole', (tone) => {
    const bitmap = make((x, y) => (isStroke(x, y) ? 10 : inBox(x, y) ? tone : 255))
    for (let x = 90; x < 510; x++) expect(isBlack(bitmap, x, 140)).toBe(isStroke(x, 140))
    expect(blackIn(bitmap, 90, 282, 510, 310)).toBe(0)
  })

  it.each([132, 150, 190])('of tone %i are never filled: white type on them is black on white', (tone) => {
    const bitmap = make((x, y) => (isStroke(x, y) ? 255 : inBox(x, y) ? tone : 255))
    for (let x = 104; x < 496; x++) expect(isBlack(bitmap, x, 140)).toBe(isStroke(x, 140))
    expect(blackIn(bitmap, 104, 284, 496, 296)).toBe(0)
  })

  it.each([60, 110])('of tone %i behind white type are black, up to their edges', (tone) => {
    const bitmap = make((x, y) => (isStroke(x, y) ? 255 : inBox(x, y) ? tone : 255))
    for (let x = 90; x < 510; x++) expect(isBlack(bitmap, x, 140)).toBe(inBox(x, 140) && !isStroke(x, 140))
    expect(blackIn(bitmap, 100, 282, 500, 300)).toBe(1)
  })

  it('without type are shown by dots between black and nearly white', () => {
    const share = (tone: number) =>
      blackIn(
        make((x, y) => (inBox(x, y) ? tone : 255)),
        140,
        120,
        460,
        270,
      )
    for (const tone of [80, 128, 170]) expect(share(tone)).toBeCloseTo(1 - tone / 255, 1)
    expect([share(30), share(225)]).toEqual([1, 0])
  })
})

describe('pictures', () => {
  it('keep their tones up to their edges, and leave the type beside them alone', () => {
    const bitmap = make((x, y) => (inBox(x, y) ? photoTone(x, y) : x > 540 && x % 8 === 0 ? 0 : 255))
    const tones = Array.from({ length: 400 * 210 }, (_, at) => photoTone(100 + (at % 400), 90 + Math.floor(at / 400)))
    const mean = tones.reduce((sum, tone) => sum + tone, 0) / tones.length
    expect(blackIn(bitmap, 100, 90, 500, 300)).toBeCloseTo(1 - mean / 255, 1)
    expect(blackIn(bitmap, 100, 90, 108, 300)).toBeLessThan(0.9)
    expect(blackIn(bitmap, 0, 0, 96, 480)).toBe(0)
    expect(blackIn(bitmap, 545, 0, 640, 480)).toBeCloseTo(1 / 8, 1)
  })

  it('have their dots although they consist of areas of one tone, as painted ones do', () => {
    const painted = (x: number, y: number) =>
      Math.round((150 + 90 * Math.sin(x / 60 + Math.sin(y / 35)) * Math.cos(y / 50)) / 11) * 11
    const bitmap = make((x, y) => (inBox(x, y) ? painted(x, y) : 255))
    for (const [x, y] of [
      [100, 90],
      [300, 90],
      [100, 200],
      [300, 200],
    ] as const) {
      const tones = Array.from({ length: 200 * 100 }, (_, at) => painted(x + (at % 200), y + Math.floor(at / 200)))
      const mean = tones.reduce((sum, tone) => sum + tone, 0) / tones.length
      expect(blackIn(bitmap, x, y, x + 200, y + 100)).toBeCloseTo(1 - mean / 255, 1)
    }
  })

  it('have no dots where they are smaller than a third of an inch: such are the shades of a sign', () => {
    const shaded = (across: number, down: number) =>
      make((x, y) => {
        const isIn = x >= 128 && x < 128 + 32 * across && y >= 96 && y < 96 + 16 * down
        return isIn ? 66 + 2 * Math.abs((x % 64) - 32) : 255
      })
    const share = (across: number, down: number) =>
      blackIn(shaded(across, down), 128, 96, 128 + 32 * across, 96 + 16 * down)
    expect([share(4, 2), share(11, 1)]).toEqual([1, 1])
    expect(share(6, 3)).toBeLessThan(0.8)
  })

  it('have no dots when the page is said to be text, and all tones have them when it is said to be a photo', () => {
    const toneAt = (x: number, y: number) => (inBox(x, y) ? photoTone(x, y) : y > 400 ? 225 : 255)
    const [text, photo] = [make(toneAt, 'text'), make(toneAt, 'photo')]
    for (const [x, y] of [
      [163, 120],
      [286, 120],
      [163, 190],
    ] as const) {
      expect([0, 1]).toContain(blackIn(text, x - 5, y - 5, x + 5, y + 5))
    }
    expect(blackIn(text, 0, 410, 640, 480)).toBe(0)
    expect(blackIn(photo, 0, 410, 640, 480)).toBeCloseTo(1 - 225 / 255, 1)
    expect(blackIn(photo, 0, 310, 640, 400)).toBe(0)
  })

  it('take fewer bits than diffused ones, and finer dots when they are asked for', async () => {
    const pdf = await madePages['photograph with text']()
    const folder = testFolder()
    const bytes = async (tones: Tones) =>
      (await documents.toTiff(pdf, join(folder, `${tones}.tif`), { ...fineLetter, tones })).sizes[0]!.bytes
    const [text, auto, photo] = [await bytes('text'), await bytes('auto'), await bytes('photo')]
    expect(text).toBeLessThan(auto)
    expect(auto).toBeLessThan(photo)
  })
})

describe('scans', () => {
  it('lose their gray paper and their dust, and keep strokes, dots beside them and margins', async () => {
    const dots = '<circle cx="100" cy="20" r="3" fill="#222"/><circle cx="500" cy="420" r="1" fill="#222"/>'
    const { pixels } = await scan(await drawSvg(width, height, signature(100, 200) + dots), 2)
    const bitmap = toBilevel(new Uint8Array(pixels), width, height, { resolution: 'fine', tones: 'auto' })
    expect(blackIn(bitmap, 0, 340, 640, 480)).toBe(0)
    expect(blackIn(bitmap, 0, 0, 60, 480)).toBe(0)
    expect(blackIn(bitmap, 97, 17, 104, 24)).toBeGreaterThan(0.5)
    expect(blackShare(bitmap)).toBeGreaterThan(0.01)
    expect(blackShare(bitmap)).toBeLessThan(0.05)
  })

  it('with a photograph on them have dots only there', async () => {
    const picture = landscape(320, 200)
    const sheet = await drawSvg(width, height, '')
    for (let y = 0; y < 200; y++) picture.pixels.copy(sheet.pixels, (y + 96) * width + 128, y * 320, (y + 1) * 320)
    const { pixels } = await scan(sheet)
    const bitmap = toBilevel(new Uint8Array(pixels), width, height, { resolution: 'fine', tones: 'auto' })
    expect(blackIn(bitmap, 150, 200, 430, 280)).toBeGreaterThan(0.3)
    expect(blackIn(bitmap, 0, 0, 96, 480)).toBe(0)
    expect(blackIn(bitmap, 0, 340, 640, 480)).toBe(0)
  })
})

describe('pages of every kind', () => {
  it.for(Object.entries(madePages))(
    'take no more bits than Ghostscript needs, small type hardly more: %s',
    async ([, page], context) => {
      requireJudge(context, 'gs')
      const folder = testFolder()
      const pdf = join(folder, 'page.pdf')
      writeFileSync(pdf, await page())
      const { sizes } = await documents.toTiff({ path: pdf }, join(folder, 'ours.tif'), fineLetter)
      const device = ['-sDEVICE=tiffg4', '-r204x196', '-g1728x2156', '-dPDFFitPage']
      runJudge('gs', '-q', '-dNOPAUSE', '-dBATCH', '-dSAFER', ...device, `-sOutputFile=${join(folder, 'gs.tif')}`, pdf)
      const [theirs] = readTiff(readFileSync(join(folder, 'gs.tif')), defaultLimits)
      expect(sizes[0]!.bytes).toBeLessThan(1.02 * theirs!.strips.reduce((sum, { length }) => sum + length, 0))
      expect(blackShare(readPages(join(folder, 'ours.tif'))[0]!)).toBeGreaterThan(0.01)
    },
  )
})
