import { promisify } from 'node:util'
import { crc32, deflateRaw } from 'node:zlib'

const deflate = promisify(deflateRaw)

const max16 = 0xffff
const max32 = 0xffffffff
/** 4.5: files beyond 4 GB or 65,535 entries. */
const zip64 = 45
const plain = 20
/** Names are UTF-8. */
const utf8 = 0x0800
const [stored, deflated] = [0, 8]

interface Entry {
  name: Buffer
  method: number
  time: number
  date: number
  crc: number
  size: number
  packed: number
  offset: number
}

/** Date and time of MS-DOS, which a zip has: UTC, in steps of two seconds from 1980 on. */
function stampOf(at: Date) {
  const years = Math.max(0, at.getUTCFullYear() - 1980)
  return {
    date: (years << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate(),
    time: (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1),
  }
}

/** Numbers one after the other, least byte first. @param sizes how many bytes each has, a digit each: 2, 4 or 8 */
function pack(sizes: string, ...values: readonly number[]): Buffer {
  const lengths = Array.from(sizes, Number)
  const bytes = Buffer.alloc(lengths.reduce((sum, length) => sum + length, 0))
  let at = 0
  for (const [index, length] of lengths.entries()) {
    const value = values[index] ?? 0
    if (length === 8) bytes.writeBigUInt64LE(BigInt(value), at)
    else bytes.writeUIntLE(value, at, length)
    at += length
  }
  return bytes
}

/** What both heads of a file say of it: 4.4.4 to 4.4.10. */
const factSizes = '22224442'
const factsOf = ({ name, method, time, date, crc, size, packed }: Entry) =>
  [utf8, method, time, date, crc, packed, size, name.length] as const

const localHead = (entry: Entry): Buffer =>
  Buffer.concat([pack(`42${factSizes}2`, 0x04034b50, plain, ...factsOf(entry), 0), entry.name])

function centralHead(entry: Entry): Buffer {
  const isFar = entry.offset >= max32
  const extra = isFar ? pack('228', 0x0001, 8, entry.offset) : Buffer.alloc(0)
  const needed = isFar ? zip64 : plain
  // No remark, the first disk, and no attributes.
  const rest = [extra.length, 0, 0, 0, 0, isFar ? max32 : entry.offset] as const
  const head = pack(`422${factSizes}222244`, 0x02014b50, zip64, needed, ...factsOf(entry), ...rest)
  return Buffer.concat([head, entry.name, extra])
}

function endOf(count: number, start: number, size: number): Buffer {
  const [shown, shownSize, shownStart] = [Math.min(count, max16), Math.min(size, max32), Math.min(start, max32)]
  const end = pack('42222442', 0x06054b50, 0, 0, shown, shown, shownSize, shownStart, 0)
  if (count < max16 && start < max32 && size < max32) return end
  const large = pack('4822448888', 0x06064b50, 44, zip64, zip64, 0, 0, count, count, size, start)
  return Buffer.concat([large, pack('4484', 0x07064b50, 0, start + size, 1), end])
}

/**
 * A zip (PKWARE APPNOTE 6.3, with Zip64) that is written file by file: what it keeps in memory is its list of files.
 * Each file is in memory whole while it is added. The caller sends on what each method answers.
 */
export class ZipWriter {
  readonly #entries: Entry[] = []
  #offset = 0

  #sent(parts: Buffer[]): Buffer[] {
    for (const { length } of parts) this.#offset += length
    return parts
  }

  /** @param isPacked whether its content is compressed already, so that it is only stored */
  async add(path: string, content: Buffer, at: Date, isPacked: boolean): Promise<Buffer[]> {
    const body = isPacked ? content : await deflate(content)
    const entry: Entry = {
      name: Buffer.from(path),
      method: isPacked ? stored : deflated,
      ...stampOf(at),
      crc: crc32(content),
      size: content.length,
      packed: body.length,
      offset: this.#offset,
    }
    this.#entries.push(entry)
    return this.#sent([localHead(entry), body])
  }

  /** The list of files, which a zip ends with. A zip that was cut off has none. */
  *end(): Generator<Buffer> {
    const start = this.#offset
    for (const entry of this.#entries) yield* this.#sent([centralHead(entry)])
    yield endOf(this.#entries.length, start, this.#offset - start)
  }
}
