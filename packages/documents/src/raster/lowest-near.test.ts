import fc from 'fast-check'
import { expect, it } from 'vitest'
import { LowestTones } from './lowest-near.ts'

/** The same by the plain words of what is promised, pixel by pixel. */
function lowestSlowly(pixels: Uint8Array, width: number, across: number, down: number) {
  return pixels.map((_, at) => {
    const [x, y] = [at % width, Math.floor(at / width)]
    let lowest = 255
    for (let row = Math.max(0, y - down); row <= y + down; row++) {
      for (let column = Math.max(0, x - across); column <= Math.min(width - 1, x + across); column++) {
        lowest = Math.min(lowest, pixels[row * width + column] ?? 255)
      }
    }
    return lowest
  })
}

it('finds the darkest tone near every pixel, at the edges and in the last rows of a page too', () => {
  const anyPage = fc.tuple(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 40 }), fc.nat(), fc.nat(2))
  fc.assert(
    fc.property(anyPage, fc.constantFrom(1, 2, 3), ([across, height, seed, share], down) => {
      const width = 32 * across
      let state = seed
      const next = () => (state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0) >>> 16
      const pixels = Uint8Array.from({ length: width * height }, () => (next() % 20 <= 9 * share ? next() & 255 : 255))
      const tones = new LowestTones({ pixels, width, height }, { across: 2, down })
      // Another page in between takes the same memory.
      const other = new LowestTones({ pixels: new Uint8Array(width * height), width, height }, { across: 1, down: 1 })
      const expected = lowestSlowly(pixels, width, 2, down)
      for (let y = 0; y < height; y++) {
        if (y % 5 === 0) other.band(0)
        const start = (y % 16) * tones.stride
        const row = tones.band(y >> 4).slice(start, start + width)
        expect(row).toEqual(expected.slice(y * width, (y + 1) * width))
      }
    }),
    { numRuns: 60 },
  )
})
