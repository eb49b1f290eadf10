import type { Bitmap } from './bitmap.ts'
import { type KernelMemory, makeRoom, startKernel } from './kernel.ts'

/** What smooth-edges.wat exports; all but bytes and rows are offsets into its memory. */
interface SmoothEdges {
  memory: KernelMemory
  smooth: (at: number, to: number, rowBytes: number, rows: number, inside: number, before: number) => void
}

/** Four words are looked at together: room for those beyond the last one. */
const beyond = 4

/** As WebAssembly it takes a fifth of the time, 128 pixels at a step. */
let started: SmoothEdges | undefined

/**
 * Takes single pixels off straight edges and fills single ones missing there: they come from rounding, are not seen, and
 * cost a T.6 coder about ten bits each. A pixel goes when it stands alone on three in a row (or in a column) with white
 * around it, and comes where the same holds the other way round; nothing thinner than three pixels changes.
 */
export function smoothEdges({ words, rowWords, height }: Bitmap): void {
  if (words.length === 0) return
  const { memory, smooth } = (started ??= startKernel('smooth-edges') as SmoothEdges)
  const row = rowWords + beyond
  const page = words.length + 2 * row
  makeRoom(memory, 4 * (2 * row + page + words.length + beyond))
  const held = new Int32Array(memory.buffer)
  const [inside, before, above] = [0, row, 2 * row]
  const from = above + row
  const to = above + page
  held.fill(-1, inside, above)
  held[inside] = held[before + rowWords - 1] = 0
  held.fill(0, above, from)
  held.set(words, from)
  held.fill(0, from + words.length, to)
  smooth(4 * from, 4 * to, 4 * rowWords, height, 4 * inside, 4 * before)
  words.set(held.subarray(to, to + words.length))
}
