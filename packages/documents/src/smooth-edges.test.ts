import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createBitmap, fillRun, sameBitmap } from './bitmap.ts'
import type { Bitmap } from './bitmap.ts'
import { smoothEdges } from './smooth-edges.ts'
import { removeSpecks } from './specks.ts'
import { anyBitmap, noiseBitmap } from './testing/bitmap-samples.ts'

const at = ({ width, height, rowWords, words }: Bitmap, x: number, y: number) =>
  x >= 0 && y >= 0 && x < width && y < height && ((words[y * rowWords + (x >> 5)]! >>> (31 - (x & 31))) & 1) === 1

/** The rule pixel by pixel: on three of the other side, nothing of its own side around. */
function isMisfit(page: Bitmap, x: number, y: number): boolean {
  const own = at(page, x, y)
  const sides: [number, number][][] = [
    [
      [-1, -1],
      [0, -1],
      [1, -1],
    ],
    [
      [-1, 1],
      [0, 1],
      [1, 1],
    ],
    [
      [-1, -1],
      [-1, 0],
      [-1, 1],
    ],
    [
      [1, -1],
      [1, 0],
      [1, 1],
    ],
  ]
  const all = (side: number, black: boolean) => sides[side]!.every(([dx, dy]) => at(page, x + dx, y + dy) === black)
  const same = (dx: number, dy: number) => at(page, x + dx, y + dy) === own
  const across = !same(-1, 0) && !same(1, 0) && ((all(0, !own) && all(1, own)) || (all(1, !own) && all(0, own)))
  const down = !same(0, -1) && !same(0, 1) && ((all(2, !own) && all(3, own)) || (all(3, !own) && all(2, own)))
  return across || down
}

function smoothSlowly(page: Bitmap): Bitmap {
  const smooth = createBitmap(page.width, page.height)
  for (let y = 0; y < page.height; y++) {
    for (let x = 0; x < page.width; x++) {
      if (at(page, x, y) !== isMisfit(page, x, y)) fillRun(smooth.words, y * page.rowWords, x, x + 1)
    }
  }
  return smooth
}

describe('smoothing edges', () => {
  it('changes exactly the single pixels on straight edges', () => {
    fc.assert(
      fc.property(anyBitmap([32, 64, 160], 24), (page) => {
        const expected = smoothSlowly(page)
        smoothEdges(page)
        expect(sameBitmap(page, expected)).toBe(true)
      }),
      { numRuns: 200 },
    )
    const noise = noiseBitmap(96, 200)
    const expected = smoothSlowly(noise)
    smoothEdges(noise)
    expect(sameBitmap(noise, expected)).toBe(true)
  })

  it('leaves a single pixel and a thin line alone', () => {
    const page = createBitmap(64, 20)
    fillRun(page.words, 5 * 2, 20, 21)
    fillRun(page.words, 10 * 2, 4, 60)
    const before = { ...page, words: page.words.slice() }
    smoothEdges(page)
    expect(sameBitmap(page, before)).toBe(true)
  })
})

describe('removing specks', () => {
  /** A stroke, a dot beside it, dust far from it, and a dot as large as one of a letter. */
  function sheet(): Bitmap {
    const page = createBitmap(128, 64)
    const dot = (x: number, y: number, size: number) => {
      for (let row = y; row < y + size; row++) fillRun(page.words, row * page.rowWords, x, x + size)
    }
    for (let y = 10; y < 40; y++) fillRun(page.words, y * page.rowWords, 20, 23)
    dot(27, 38, 3)
    dot(70, 20, 1)
    dot(100, 50, 3)
    dot(70, 50, 4)
    return page
  }

  it('takes dust and leaves what belongs to letters', () => {
    const page = sheet()
    removeSpecks(page, () => true)
    expect([at(page, 21, 20), at(page, 28, 39), at(page, 71, 51)]).toEqual([true, true, true])
    expect([at(page, 70, 20), at(page, 101, 51)]).toEqual([false, false])
  })

  it('looks only where it is told to', () => {
    const page = sheet()
    removeSpecks(page, (index) => index % page.rowWords === 3)
    expect([at(page, 70, 20), at(page, 101, 51)]).toEqual([true, false])
  })
})
