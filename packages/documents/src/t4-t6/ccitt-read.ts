import { type Bitmap, fillRun } from '../raster/bitmap.ts'
import { blackRuns, modeCodes, type RunCode, whiteRuns } from './t4-codes.ts'

const runBits = 13
const modeBits = 7
const endOfLineZeros = 11
const passMode = 7
const horizontalMode = 8

/** A table indexed by the next `width` bits; an entry is value × 16 + code length, or 0 where no code begins so. */
function lookup(codes: readonly { bits: string; value: number }[], width: number): Int32Array {
  const table = new Int32Array(1 << width)
  for (const { bits, value } of codes) {
    const first = Number.parseInt(bits, 2) << (width - bits.length)
    table.fill((value << 4) | bits.length, first, first + (1 << (width - bits.length)))
  }
  return table
}

const runLookup = (codes: readonly RunCode[]) =>
  lookup(
    codes.map(({ bits, run }) => ({ bits, value: run })),
    runBits,
  )

const white = runLookup(whiteRuns)
const black = runLookup(blackRuns)
const modes = lookup(
  [
    ...modeCodes.vertical.map((bits, value) => ({ bits, value })),
    { bits: modeCodes.pass, value: passMode },
    { bits: modeCodes.horizontal, value: horizontalMode },
  ],
  modeBits,
)

/** Reads codes from the most significant bit of each byte on (FillOrder 1); beyond the end there are zeros. */
export class BitReader {
  #bytes: Uint8Array
  #at = 0
  #held = 0
  #heldBits = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  /** Looks the next `bits` (at most 13; zeros after the end) up in `table` and moves past the code; -1 when there is none. */
  take(table: Int32Array, bits: number): number {
    const entry = table[this.#peek(bits)]!
    if (entry === 0) return -1
    this.#heldBits -= entry & 15
    return entry >>> 4
  }

  /** A run: make-up codes and the terminating code that ends them; -1 when damaged or longer than `max`. */
  takeRun(table: Int32Array, max: number): number {
    let length = 0
    for (;;) {
      const run = this.take(table, runBits)
      length += run
      if (run < 0 || length > max) return -1
      if (run < 64) return length
    }
  }

  /** Whether an end-of-line code or the fill before one comes next. */
  get atEndOfLine(): boolean {
    return this.#peek(endOfLineZeros) === 0
  }

  /** Moves past an end-of-line code and the fill before it (T.4, 4.1.2 and 4.1.3); false when there is none here. */
  takeEndOfLine(): boolean {
    if (!this.atEndOfLine) return false
    while (this.#peek(1) === 0) {
      this.#heldBits--
      if (this.exhausted) return false
    }
    this.#heldBits--
    return true
  }

  takeBit(): number {
    const bit = this.#peek(1)
    this.#heldBits--
    return bit
  }

  /** Moves to the next whole byte. */
  align(): void {
    this.#heldBits &= ~7
  }

  #peek(bits: number): number {
    while (this.#heldBits < bits) {
      this.#held = (this.#held << 8) | (this.#bytes[this.#at++] ?? 0)
      this.#heldBits += 8
    }
    return (this.#held >>> (this.#heldBits - bits)) & ((1 << bits) - 1)
  }

  /** Whether more bits were taken than there are. */
  get exhausted(): boolean {
    return this.#at - (this.#heldBits >>> 3) > this.#bytes.length
  }
}

/** Ends the changing elements of a row with three times its width. */
function endRow(row: Int32Array, count: number, width: number): number {
  row[count] = row[count + 1] = row[count + 2] = width
  return count
}

/** Decodes a row coded one-dimensionally (T.4, 4.1); returns the count of its changing elements, -1 when damaged. */
export function takeRunRow(input: BitReader, row: Int32Array, width: number): number {
  let count = 0
  for (let at = 0; at < width;) {
    const run = input.takeRun((count & 1) === 0 ? white : black, width - at)
    if (run < 0 || count > width) return -1
    row[count++] = at += run
  }
  return endRow(row, count, width)
}

/**
 * Decodes a row coded two-dimensionally (T.4, 4.2) below the row `above`; returns the count of its changing elements,
 * -1 when the data is damaged or at its end.
 */
export function takeReferenceRow(input: BitReader, above: Int32Array, row: Int32Array, width: number): number {
  let a0 = -1
  let count = 0
  let b = 0
  while (a0 < width) {
    const mode = input.take(modes, modeBits)
    if (mode < 0 || count > width) return -1
    while (above[b]! <= a0) b += 2
    if (mode === passMode) {
      a0 = above[b + 1]!
    } else if (mode === horizontalMode) {
      const start = Math.max(a0, 0)
      const whiteFirst = (count & 1) === 0
      const first = input.takeRun(whiteFirst ? white : black, width - start)
      if (first < 0) return -1
      const second = input.takeRun(whiteFirst ? black : white, width - start - first)
      if (second < 0) return -1
      row[count++] = start + first
      row[count++] = a0 = start + first + second
    } else {
      const a1 = above[b]! + mode - 3
      // A change at or left of the last one, or beyond the edge, cannot come from an encoder.
      if (a1 > width || a1 < 0 || a1 <= a0) return -1
      row[count++] = a0 = a1
      b = b > 0 ? b - 1 : 1
    }
  }
  return endRow(row, count, width)
}

/** Draws a row from its changing elements. */
export function drawRow(bitmap: Bitmap, y: number, row: Int32Array, count: number): void {
  const start = y * bitmap.rowWords
  for (let index = 0; index < count; index += 2) fillRun(bitmap.words, start, row[index]!, row[index + 1]!)
}
