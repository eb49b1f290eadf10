import { blackRuns, endOfLine, longestMakeUp, modeCodes, type RunCode, whiteRuns } from './t4-codes.ts'

/** A code word packed for the writer: bits shifted left by 4, length (1–13) in the low 4 bits. */
const pack = (bits: string) => (Number.parseInt(bits, 2) << 4) | bits.length
const packRuns = (codes: readonly RunCode[]) => Int32Array.from(codes, (code) => pack(code.bits))

const white = packRuns(whiteRuns)
const black = packRuns(blackRuns)
const pass = pack(modeCodes.pass)
const horizontal = pack(modeCodes.horizontal)
const vertical = Int32Array.from(modeCodes.vertical, pack)
const eol = pack(endOfLine)
/** The code words as they are packed, for the coder in WebAssembly; `modes` are vertical -3 to 3, pass and horizontal. */
export const codeWords = { white, black, modes: Int32Array.of(...vertical, pass, horizontal), endOfLine: eol }
/** An end-of-line code of 12 bits that begins so many bits into a byte ends with it. */
const beforeAlignedEnd = 4

/** Collects codes in words of 32 bits, the first code's first bit highest. */
export class BitWriter {
  #words = new Int32Array(1 << 14)
  #length = 0
  #held = 0
  #heldBits = 0

  /** Makes room for `bytes` more, so that `put` needs no check. */
  reserve(bytes: number): void {
    const needed = this.#length + (bytes >> 2) + 2
    if (needed <= this.#words.length) return
    const grown = new Int32Array(Math.max(this.#words.length * 2, needed))
    grown.set(this.#words)
    this.#words = grown
  }

  put(code: number): void {
    const bits = code & 15
    const free = 32 - this.#heldBits
    if (bits < free) {
      this.#held = (this.#held << bits) | (code >>> 4)
      this.#heldBits += bits
      return
    }
    // What does not fit begins the next word; bits above it are shifted out before that word is full.
    const rest = bits - free
    this.#words[this.#length++] = (this.#held << free) | (code >>> (4 + rest))
    this.#held = code >>> 4
    this.#heldBits = rest
  }

  putRun(codes: Int32Array, length: number): void {
    let left = length
    while (left >= longestMakeUp + 64) {
      this.put(codes[codes.length - 1]!)
      left -= longestMakeUp
    }
    if (left >= 64) this.put(codes[63 + (left >>> 6)]!)
    this.put(codes[left & 63]!)
  }

  /** An end-of-line code; `aligned` puts fill before it so that it ends on a whole byte (TIFF 6.0, T4Options bit 2). */
  putEndOfLine(aligned = false): void {
    const fill = aligned ? (beforeAlignedEnd - this.#heldBits) & 7 : 0
    if (fill > 0) this.put(fill)
    this.put(eol)
  }

  putBit(bit: number): void {
    this.put((bit << 4) | 1)
  }

  /** All that was written, the last byte padded with zeros; the writer is used up. */
  finish(): Uint8Array {
    const bytes = this.#length * 4 + ((this.#heldBits + 7) >> 3)
    if (this.#heldBits > 0) this.#words[this.#length++] = this.#held << (32 - this.#heldBits)
    Buffer.from(this.#words.buffer, 0, this.#length * 4).swap32()
    return new Uint8Array(this.#words.buffer.slice(0, bytes))
  }
}

/** Codes a row one-dimensionally from its changing elements: runs in turn, the first one white (T.4, 4.1.1). */
export function putRunRow(out: BitWriter, row: Int32Array, width: number): void {
  let at = 0
  for (let index = 0; at < width; index++) {
    const change = row[index]!
    out.putRun((index & 1) === 0 ? white : black, change - at)
    at = change
  }
}

/** The two-dimensional coding procedure of T.4, 4.2.1.3.4 for one row; `above` and `row` hold changing elements. */
export function putReferenceRow(out: BitWriter, above: Int32Array, row: Int32Array, width: number): void {
  let a0 = -1
  let next = 0
  let b = 0
  while (a0 < width) {
    const a1 = row[next]!
    // b1 is the first change above, right of a0, toward the color a1 changes to: same parity as `next`.
    while (above[b]! <= a0) b += 2
    const b1 = above[b]!
    const b2 = above[b + 1]!
    const distance = a1 - b1
    if (b2 < a1) {
      out.put(pass)
      a0 = b2
    } else if (distance >= -3 && distance <= 3) {
      out.put(vertical[distance + 3]!)
      a0 = a1
      next++
      b = b > 0 ? b - 1 : 1
    } else {
      const a2 = row[next + 1]!
      const whiteFirst = (next & 1) === 0
      out.put(horizontal)
      out.putRun(whiteFirst ? white : black, a1 - Math.max(a0, 0))
      out.putRun(whiteFirst ? black : white, a2 - a1)
      a0 = a2
      next += 2
    }
  }
}
