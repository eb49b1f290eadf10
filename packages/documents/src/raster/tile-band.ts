import { type Bitmap, createBitmap } from './bitmap.ts'
import { blocksATile, type Gray, paperTone, tile, type TileCounts } from './gray-tiles.ts'
import { type KernelMemory, makeRoom, startKernel } from './kernel.ts'

/** What tile-band.wat exports; all but the counts of tiles, rows and tones are offsets into its memory. */
interface TileBand {
  memory: KernelMemory
  threshold: (
    pixels: number,
    across: number,
    rows: number,
    ink: number,
    paper: number,
    words: number,
    counts: number,
    ranges: number,
  ) => void
}

/** Every pixel of every page goes through this: as WebAssembly it takes a third of the time, 32 pixels at a step. */
let started: TileBand | undefined

/** Makes every pixel darker than `level` black, and counts what there is in each tile. */
export function thresholdTiles({ pixels, width, height }: Gray, level: number): { bitmap: Bitmap; counts: TileCounts } {
  const { memory, threshold } = (started ??= startKernel(new URL('./tile-band.wasm', import.meta.url)) as TileBand)
  const bitmap = createBitmap(width, height)
  const [across, down] = [width / tile.width, Math.ceil(height / tile.height)]
  const bandPixels = width * tile.height
  const bandWords = across * tile.height
  const countsAt = bandPixels + 4 * bandWords
  const rangesAt = countsAt + 6 * across
  makeRoom(memory, rangesAt + 16 * across)
  const band = new Uint8Array(memory.buffer, 0, bandPixels)
  const words = new Int32Array(memory.buffer, bandPixels, bandWords)
  const counted = new Uint16Array(memory.buffer, countsAt, 3 * across)
  const ranged = new Uint8Array(memory.buffer, rangesAt, 16 * across)
  const make = () => new Uint16Array(across * down)
  const makeBlocks = () => new Uint8Array(across * down * blocksATile)
  const counts = { across, down, toned: make(), ink: make(), middle: make(), lowest: makeBlocks(), lack: makeBlocks() }
  for (let row = 0; row < down; row++) {
    const rows = Math.min(tile.height, height - row * tile.height)
    band.set(pixels.subarray(row * bandPixels, row * bandPixels + rows * width))
    // Blocks that a last band has no rows for are of one tone.
    if (rows < tile.height) ranged.fill(255)
    threshold(0, across, rows, level, paperTone, bandPixels, countsAt, rangesAt)
    bitmap.words.set(words.subarray(0, rows * across), row * bandWords)
    counts.toned.set(counted.subarray(0, across), row * across)
    counts.ink.set(counted.subarray(across, 2 * across), row * across)
    counts.middle.set(counted.subarray(2 * across), row * across)
    counts.lowest.set(ranged.subarray(0, 8 * across), row * across * blocksATile)
    counts.lack.set(ranged.subarray(8 * across), row * across * blocksATile)
  }
  return { bitmap, counts }
}
