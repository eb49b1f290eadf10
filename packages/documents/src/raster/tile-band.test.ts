import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Gray } from './gray-tiles.ts'
import { thresholdTiles } from './tile-band.ts'

/** The same by the plain words of what is promised, pixel by pixel. */
function thresholdSlowly({ pixels, width, height }: Gray, level: number) {
  const across = width / 32
  const words = new Int32Array(across * height)
  const make = () => new Uint16Array(across * Math.ceil(height / 16))
  const [toned, ink, middle] = [make(), make(), make()]
  pixels.forEach((pixel, at) => {
    const [x, y] = [at % width, Math.floor(at / width)]
    const tile = Math.floor(y / 16) * across + (x >> 5)
    if (pixel < level) words[y * across + (x >> 5)]! |= 1 << (31 - (x & 31))
    if (pixel < level) ink[tile]!++
    if (pixel < 240) toned[tile]!++
    if (pixel >= 64 && pixel < 192) middle[tile]!++
  })
  return { words, toned, ink, middle }
}

/** Pages of white, of black, of noise, and of the tones at which something changes. */
const anyGray = fc
  .tuple(fc.integer({ min: 1, max: 7 }), fc.integer({ min: 1, max: 50 }), fc.nat(), fc.nat(4))
  .map(([across, height, seed, sort]): Gray => {
    const width = 32 * across
    const edges = [0, 63, 64, 175, 176, 189, 190, 191, 192, 239, 240, 255]
    let state = seed
    const next = () => (state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0) >>> 16
    const pixels = Uint8Array.from({ length: width * height }, () => {
      if (sort === 0) return 255
      if (sort === 1) return 0
      if (sort === 2) return next() & 255
      return sort === 3 || next() % 40 === 0 ? edges[next() % edges.length]! : 255
    })
    return { pixels, width, height }
  })

describe('judging the tiles of a page', () => {
  it('blackens what is darker than the level and counts tones, for any page and the last rows of it', () => {
    fc.assert(
      fc.property(anyGray, fc.constantFrom(176, 190, 1, 255), (gray, level) => {
        const { bitmap, counts } = thresholdTiles(gray, level)
        const { toned, ink, middle } = counts
        expect({ words: bitmap.words, toned, ink, middle }).toEqual(thresholdSlowly(gray, level))
      }),
      { numRuns: 150 },
    )
  })

  it('takes a page wider than its memory', () => {
    const gray = { pixels: new Uint8Array(32 * 1000 * 20).fill(100), width: 32 * 1000, height: 20 }
    const { bitmap, counts } = thresholdTiles(gray, 176)
    expect(bitmap.words.every((word) => word === -1)).toBe(true)
    expect([...counts.middle].filter((count) => count === 512).length).toBe(1000)
  })
})
