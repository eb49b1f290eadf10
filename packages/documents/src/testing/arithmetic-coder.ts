/** Rows of the table of probabilities (T.88, table E.1): Qe, the next state after the more and the less probable bit, and whether the sense turns. */
const states: readonly (readonly [number, number, number, number])[] = [
  ...([
    [0x5601, 1, 1, 1],
    [0x3401, 2, 6, 0],
    [0x1801, 3, 9, 0],
    [0x0ac1, 4, 12, 0],
    [0x0521, 5, 29, 0],
  ] as const),
  ...([
    [0x0221, 38, 33, 0],
    [0x5601, 7, 6, 1],
    [0x5401, 8, 14, 0],
    [0x4801, 9, 14, 0],
    [0x3801, 10, 14, 0],
  ] as const),
  ...([
    [0x3001, 11, 17, 0],
    [0x2401, 12, 18, 0],
    [0x1c01, 13, 20, 0],
    [0x1601, 29, 21, 0],
    [0x5601, 15, 14, 1],
  ] as const),
  ...([
    [0x5401, 16, 14, 0],
    [0x5101, 17, 15, 0],
    [0x4801, 18, 16, 0],
    [0x3801, 19, 17, 0],
    [0x3401, 20, 18, 0],
  ] as const),
  ...([
    [0x3001, 21, 19, 0],
    [0x2801, 22, 19, 0],
    [0x2401, 23, 20, 0],
    [0x2201, 24, 21, 0],
    [0x1c01, 25, 22, 0],
  ] as const),
  ...([
    [0x1801, 26, 23, 0],
    [0x1601, 27, 24, 0],
    [0x1401, 28, 25, 0],
    [0x1201, 29, 26, 0],
    [0x1101, 30, 27, 0],
  ] as const),
  ...([
    [0x0ac1, 31, 28, 0],
    [0x09c1, 32, 29, 0],
    [0x08a1, 33, 30, 0],
    [0x0521, 34, 31, 0],
    [0x0441, 35, 32, 0],
  ] as const),
  ...([
    [0x02a1, 36, 33, 0],
    [0x0221, 37, 34, 0],
    [0x0141, 38, 35, 0],
    [0x0111, 39, 36, 0],
    [0x0085, 40, 37, 0],
  ] as const),
  ...([
    [0x0049, 41, 38, 0],
    [0x0025, 42, 39, 0],
    [0x0015, 43, 40, 0],
    [0x0009, 44, 41, 0],
    [0x0005, 45, 42, 0],
  ] as const),
  ...([
    [0x0001, 45, 43, 0],
    [0x5601, 46, 46, 0],
  ] as const),
]

/** The ranges of whole numbers (T.88, table A.1): how each begins, its bits, and what is taken off first. */
const ranges = [
  { prefix: [0], bits: 2, from: 0 },
  { prefix: [1, 0], bits: 4, from: 4 },
  { prefix: [1, 1, 0], bits: 6, from: 20 },
  { prefix: [1, 1, 1, 0], bits: 8, from: 84 },
  { prefix: [1, 1, 1, 1, 0], bits: 12, from: 340 },
  { prefix: [1, 1, 1, 1, 1], bits: 32, from: 4436 },
] as const

/** Writes bits with the arithmetic coder of JBIG2 (T.88, annex E; the flow charts are those of T.800, annex C). */
export class ArithmeticCoder {
  #interval = 0x8000
  #code = 0
  #left = 12
  #bytes: number[] = []
  #last = -1
  #contexts = new Map<string, Map<number, { state: number; likely: number }>>()

  /** Codes a bit in one context of those with a name. */
  bit(name: string, context: number, bit: number): void {
    const family = this.#contexts.get(name) ?? new Map<number, { state: number; likely: number }>()
    this.#contexts.set(name, family)
    const now = family.get(context) ?? { state: 0, likely: 0 }
    family.set(context, now)
    const [share, afterLikely, afterOther, turns] = states[now.state]!
    this.#interval -= share
    if (bit === now.likely) {
      if (this.#interval & 0x8000) {
        this.#code += share
        return
      }
      if (this.#interval < share) this.#interval = share
      else this.#code += share
      now.state = afterLikely
    } else {
      if (this.#interval < share) this.#code += share
      else this.#interval = share
      if (turns) now.likely = 1 - now.likely
      now.state = afterOther
    }
    this.#renormalize()
  }

  /** Codes a whole number, or the mark that none follows (T.88, A.2). */
  integer(name: string, value: number | 'none'): void {
    let previous = 1
    const put = (bit: number) => {
      this.bit(name, previous, bit)
      previous = previous < 256 ? (previous << 1) | bit : (((previous << 1) | bit) & 511) | 256
    }
    const size = value === 'none' ? 0 : Math.abs(value)
    put(value === 'none' || value < 0 ? 1 : 0)
    const range = ranges.findLast(({ from }) => size >= from) ?? ranges[0]
    range.prefix.forEach(put)
    for (let place = range.bits - 1; place >= 0; place--) put(Math.floor((size - range.from) / 2 ** place) & 1)
  }

  /** Codes the number of a symbol in `bits` bits (T.88, A.3). */
  symbol(name: string, value: number, bits: number): void {
    let previous = 1
    for (let place = bits - 1; place >= 0; place--) {
      const bit = (value >> place) & 1
      this.bit(name, previous, bit)
      previous = (previous << 1) | bit
    }
  }

  /** Ends the data. */
  finish(): Buffer {
    const top = this.#code + this.#interval
    this.#code |= 0xffff
    if (this.#code >= top) this.#code -= 0x8000
    for (let rest = 0; rest < 2; rest++) {
      this.#code *= 2 ** this.#left
      this.#putByte()
    }
    if (this.#last !== 0xff) this.#emit(0xff)
    this.#emit(0xac)
    return Buffer.from([...this.#bytes, this.#last].slice(1))
  }

  #renormalize(): void {
    do {
      this.#interval *= 2
      this.#code *= 2
      if (--this.#left === 0) this.#putByte()
    } while (!(this.#interval & 0x8000))
  }

  #putByte(): void {
    if (this.#last !== 0xff && this.#code >= 0x8000000) {
      this.#last++
      this.#code -= 0x8000000
    }
    const bits = this.#last === 0xff ? 7 : 8
    const unit = 2 ** (27 - bits)
    this.#emit(Math.floor(this.#code / unit))
    this.#code %= unit
    this.#left = bits
  }

  #emit(byte: number): void {
    this.#bytes.push(this.#last)
    this.#last = byte
  }
}
