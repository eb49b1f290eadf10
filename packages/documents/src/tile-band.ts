import { readFileSync } from 'node:fs'
import { createBitmap } from './bitmap.ts'
import type { Bitmap } from './bitmap.ts'
import { paperTone, tile } from './grey-tiles.ts'
import type { Grey, TileCounts } from './grey-tiles.ts'

/** What tile-band.wat exports; all but the counts of tiles, rows and tones are offsets into its memory. */
interface TileBand {
  memory: { readonly buffer: ArrayBuffer; grow: (pages: number) => number }
  threshold: (
    pixels: number,
    across: number,
    rows: number,
    ink: number,
    paper: number,
    words: number,
    counts: number,
  ) => void
}

const memoryPage = 65_536

let started: TileBand | undefined

/** Every pixel of every page goes through this: as WebAssembly it takes a third of the time, 32 pixels at a step. */
function startTileBand(): TileBand {
  if (started) return started
  const wasm = new WebAssembly.Module(readFileSync(new URL('./tile-band.wasm', import.meta.url)))
  started = new WebAssembly.Instance(wasm, {}).exports as unknown as TileBand
  return started
}

/** Makes every pixel darker than `level` black, and counts what there is in each tile. */
export function thresholdTiles({ pixels, width, height }: Grey, level: number): { bitmap: Bitmap; counts: TileCounts } {
  const { memory, threshold } = startTileBand()
  const bitmap = createBitmap(width, height)
  const [across, down] = [width / tile.width, Math.ceil(height / tile.height)]
  const bandPixels = width * tile.height
  const bandWords = across * tile.height
  const countsAt = bandPixels + 4 * bandWords
  const missing = countsAt + 6 * across - memory.buffer.byteLength
  if (missing > 0) memory.grow(Math.ceil(missing / memoryPage))
  const band = new Uint8Array(memory.buffer, 0, bandPixels)
  const words = new Int32Array(memory.buffer, bandPixels, bandWords)
  const counted = new Uint16Array(memory.buffer, countsAt, 3 * across)
  const make = () => new Uint16Array(across * down)
  const counts = { across, down, toned: make(), ink: make(), middle: make() }
  for (let row = 0; row < down; row++) {
    const rows = Math.min(tile.height, height - row * tile.height)
    band.set(pixels.subarray(row * bandPixels, row * bandPixels + rows * width))
    threshold(0, across, rows, level, paperTone, bandPixels, countsAt)
    bitmap.words.set(words.subarray(0, rows * across), row * bandWords)
    counts.toned.set(counted.subarray(0, across), row * across)
    counts.ink.set(counted.subarray(across, 2 * across), row * across)
    counts.middle.set(counted.subarray(2 * across), row * across)
  }
  return { bitmap, counts }
}
