import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { blackShare } from './testing/samples.ts'
import { toBilevel } from './threshold.ts'

const [width, height] = [320, 160]

/** A grey page whose tones `toneAt` gives. */
function grey(toneAt: (x: number, y: number) => number): Uint8Array {
  const pixels = new Uint8Array(width * height)
  for (let at = 0; at < pixels.length; at++) pixels[at] = toneAt(at % width, Math.floor(at / width))
  return pixels
}

const isBlack = (words: Int32Array, x: number, y: number) =>
  ((words[y * (width / 32) + (x >> 5)]! >>> (31 - (x & 31))) & 1) === 1

describe('making a page black and white', () => {
  it('is exact at the level where there is no picture', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 64, maxLength: 64 }), fc.integer({ min: 1, max: 255 }), (tones, level) => {
        // A few tones on white: no tile is grey enough to be a picture.
        const page = grey((x, y) => (y % 16 === 3 && x < 64 ? tones[x]! : 255))
        const { words } = toBilevel(page, width, height, level)
        for (let x = 0; x < 64; x++) expect(isBlack(words, x, 3)).toBe(tones[x]! < level)
        expect(isBlack(words, 70, 3)).toBe(false)
      }),
    )
  })

  it('keeps the tones of a picture by dithering', () => {
    for (const tone of [70, 100, 128, 150, 185]) {
      const page = toBilevel(
        grey((x) => tone + (x % 3)),
        width,
        height,
        176,
      )
      expect(blackShare(page)).toBeCloseTo(1 - (tone + 1) / 255, 1)
    }
  })

  it('dithers a picture up to its edges and leaves the text beside it alone', () => {
    const page = grey((x, y) =>
      x >= 40 && x < 200 && y >= 24 && y < 130 ? 60 + x / 2 : x > 240 && x % 8 === 0 ? 0 : 255,
    )
    const bitmap = toBilevel(page, width, height, 176)
    expect(blackShare(bitmap, 41 / 320, 25 / 160, 48 / 320, 129 / 160)).toBeLessThan(0.8)
    expect(blackShare(bitmap, 0, 0, 40 / 320, 1)).toBe(0)
    expect(isBlack(bitmap.words, 248, 50)).toBe(true)
    expect(blackShare(bitmap, 241 / 320, 0, 1, 1)).toBeCloseTo(1 / 8, 1)
  })

  it('leaves white white and black black', () => {
    expect(
      blackShare(
        toBilevel(
          grey(() => 255),
          width,
          height,
          176,
        ),
      ),
    ).toBe(0)
    expect(
      blackShare(
        toBilevel(
          grey(() => 0),
          width,
          height,
          176,
        ),
      ),
    ).toBe(1)
  })
})
