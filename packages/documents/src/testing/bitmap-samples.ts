import fc from 'fast-check'
import { type Bitmap, createBitmap, fillRun } from '../raster/bitmap.ts'

/** A row: pixels at which the color changes, the first from white to black. */
type Row = readonly number[]

/** A bitmap whose rows change color at the given pixels. */
export function bitmapOf(width: number, rows: readonly Row[]): Bitmap {
  const bitmap = createBitmap(width, rows.length)
  rows.forEach((changes, y) => {
    for (let index = 0; index < changes.length; index += 2) {
      fillRun(bitmap.words, y * bitmap.rowWords, changes[index]!, changes[index + 1] ?? width)
    }
  })
  return bitmap
}

const sorted = (changes: readonly number[]) => [...new Set(changes)].sort((a, b) => a - b)

/**
 * Pages of every make-up: rows that repeat or nearly repeat the one above (vertical and pass mode), rows of many and of
 * few changes, white, black and alternating ones.
 */
export function anyBitmap(widths: readonly number[], maxRows: number): fc.Arbitrary<Bitmap> {
  return fc.constantFrom(...widths).chain((width) => {
    const changes = fc.array(fc.nat(width - 1), { maxLength: 60 }).map(sorted)
    const step = fc.oneof(
      { weight: 3, arbitrary: fc.constant({ like: 'above' as const, by: 0 }) },
      { weight: 4, arbitrary: fc.integer({ min: -4, max: 4 }).map((by) => ({ like: 'above' as const, by })) },
      { weight: 3, arbitrary: changes.map((row) => ({ like: 'own' as const, row })) },
      {
        weight: 1,
        arbitrary: fc.constantFrom<Row>([], [0], evenPixels(width)).map((row) => ({ like: 'own' as const, row })),
      },
    )
    return fc.array(step, { minLength: 1, maxLength: maxRows }).map((steps) => {
      let row: Row = []
      const rows = steps.map((next) => {
        if (next.like === 'own') row = next.row
        else row = sorted(row.map((change, index) => clamp(change + (index % 3 === 0 ? next.by : 0), width)))
        return row
      })
      return bitmapOf(width, rows)
    })
  })
}

function evenPixels(width: number): Row {
  return Array.from({ length: width }, (_, index) => index)
}

function clamp(change: number, width: number): number {
  return Math.min(width - 1, Math.max(0, change))
}

/** A page of noise from a fixed seed: the same in every run. */
export function noiseBitmap(width: number, height: number, seed = 1): Bitmap {
  const bitmap = createBitmap(width, height)
  let state = seed
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
      if (state & 0x10000) fillRun(bitmap.words, y * bitmap.rowWords, x, x + 1)
    }
  }
  return bitmap
}
