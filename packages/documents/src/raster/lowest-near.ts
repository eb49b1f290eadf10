import { type Gray, tile } from './gray-tiles.ts'
import { type KernelMemory, makeRoom, startKernel } from './kernel.ts'

/** What lowest-near.wat exports; all but the count are bytes or offsets into its memory. */
interface LowestNear {
  memory: KernelMemory
  lowest: (from: number, step: number, count: number, to: number, length: number) => void
}

/** Pixels to each side, at most 16, and rows above and below. */
export interface Reach {
  across: number
  down: number
}

/** White beside each row, so that what is near its ends needs no care, and rows begin where vectors do. */
const padding = 16

let started: LowestNear | undefined
/** Which page's tones the kernel's memory holds. */
let held: symbol | undefined

/**
 * The darkest tones near the pixels of a page, found a row of tiles at a time: as WebAssembly all pixels of a row take
 * less time than a tenth of them did one by one.
 */
export class LowestTones {
  readonly #name = Symbol('page')
  readonly #gray: Gray
  readonly #reach: Reach
  #row = -1
  #band: Uint8Array = new Uint8Array(0)

  constructor(gray: Gray, reach: Reach) {
    this.#gray = gray
    this.#reach = reach
  }

  /**
   * The lowest tone within reach of each pixel of a row of tiles (counted from 0), `stride` bytes a row. Good until the
   * next call, of another page too.
   */
  band(row: number): Uint8Array {
    if (row === this.#row && held === this.#name) return this.#band
    held = this.#name
    this.#row = row
    return (this.#band = this.#find(row))
  }

  get stride(): number {
    return this.#gray.width + padding
  }

  #find(row: number): Uint8Array {
    const { memory, lowest } = (started ??= startKernel(new URL('./lowest-near.wasm', import.meta.url)) as LowestNear)
    const { pixels, width, height } = this.#gray
    const { across, down } = this.#reach
    const { stride } = this
    const rows = tile.height + 2 * down
    const [given, upright, found] = [0, rows * stride + padding, (rows + tile.height) * stride + 3 * padding]
    makeRoom(memory, found + tile.height * stride)
    const band = new Uint8Array(memory.buffer, given, rows * stride + padding).fill(255)
    const first = row * tile.height - down
    for (let y = Math.max(0, first); y < Math.min(height, first + rows); y++) {
      band.set(pixels.subarray(y * width, (y + 1) * width), (y - first) * stride + padding)
    }
    lowest(given, stride, 2 * down + 1, upright, tile.height * stride + padding)
    lowest(upright + padding - across, 1, 2 * across + 1, found, tile.height * stride)
    return new Uint8Array(memory.buffer, found, tile.height * stride)
  }
}
