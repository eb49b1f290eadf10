import { promisify } from 'node:util'
import { crc32, deflateRaw } from 'node:zlib'

const deflate = promisify(deflateRaw)

const most16 = 0xffff
const most32 = 0xffffffff
/** 4.5: files beyond 4 GB or 65,535 entries. */
const zip64 = 45
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

function localHead({ name, method, time, date, crc, size, packed }: Entry): Buffer {
  const head = Buffer.alloc(30)
  head.writeUInt32LE(0x04034b50, 0)
  head.writeUInt16LE(20, 4)
  head.writeUInt16LE(utf8, 6)
  head.writeUInt16LE(method, 8)
  head.writeUInt16LE(time, 10)
  head.writeUInt16LE(date, 12)
  head.writeUInt32LE(crc, 14)
  head.writeUInt32LE(packed, 18)
  head.writeUInt32LE(size, 22)
  head.writeUInt16LE(name.length, 26)
  return Buffer.concat([head, name])
}

function centralHead({ name, method, time, date, crc, size, packed, offset }: Entry): Buffer {
  const isFar = offset >= most32
  const extra = Buffer.alloc(isFar ? 12 : 0)
  if (isFar) {
    extra.writeUInt16LE(0x0001, 0)
    extra.writeUInt16LE(8, 2)
    extra.writeBigUInt64LE(BigInt(offset), 4)
  }
  const head = Buffer.alloc(46)
  head.writeUInt32LE(0x02014b50, 0)
  head.writeUInt16LE(zip64, 4)
  head.writeUInt16LE(isFar ? zip64 : 20, 6)
  head.writeUInt16LE(utf8, 8)
  head.writeUInt16LE(method, 10)
  head.writeUInt16LE(time, 12)
  head.writeUInt16LE(date, 14)
  head.writeUInt32LE(crc, 16)
  head.writeUInt32LE(packed, 20)
  head.writeUInt32LE(size, 24)
  head.writeUInt16LE(name.length, 28)
  head.writeUInt16LE(extra.length, 30)
  head.writeUInt32LE(isFar ? most32 : offset, 42)
  return Buffer.concat([head, name, extra])
}

function endOf(count: number, start: number, size: number): Buffer {
  const isLarge = count >= most16 || start >= most32 || size >= most32
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(Math.min(count, most16), 8)
  end.writeUInt16LE(Math.min(count, most16), 10)
  end.writeUInt32LE(Math.min(size, most32), 12)
  end.writeUInt32LE(Math.min(start, most32), 16)
  if (!isLarge) return end
  const large = Buffer.alloc(76)
  large.writeUInt32LE(0x06064b50, 0)
  large.writeBigUInt64LE(44n, 4)
  large.writeUInt16LE(zip64, 12)
  large.writeUInt16LE(zip64, 14)
  large.writeBigUInt64LE(BigInt(count), 24)
  large.writeBigUInt64LE(BigInt(count), 32)
  large.writeBigUInt64LE(BigInt(size), 40)
  large.writeBigUInt64LE(BigInt(start), 48)
  large.writeUInt32LE(0x07064b50, 56)
  large.writeBigUInt64LE(BigInt(start + size), 64)
  large.writeUInt32LE(1, 72)
  return Buffer.concat([large, end])
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
