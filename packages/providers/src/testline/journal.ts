import { createReadStream } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import { parseRecord, type CallRecord } from './record.ts'

const lineFeed = 10

/** A write failed, and whether it is on the disk is not known. */
export class UnsureWrite extends Error {
  override name = 'UnsureWrite'
}

/**
 * An append-only file of records, one JSON object a line, written one after the other. Each is on the disk when its append resolves; a failed append leaves the file as it was before.
 */
export class Journal {
  readonly #file: FileHandle
  #length: number
  /** Settles with the last write begun. */
  #last: Promise<unknown> = Promise.resolve()
  #broken: Error | undefined

  private constructor(file: FileHandle, length: number) {
    this.#file = file
    this.#length = length
  }

  /**
   * Opens the file for appending and cuts off what stands after its last whole record.
   * @param length bytes of whole records, as reported by readJournal
   */
  static async open(path: string, length: number): Promise<Journal> {
    const file = await open(path, 'a', 0o600)
    await file.truncate(length)
    return new Journal(file, length)
  }

  /**
   * Resolves when the record is on the disk; rejects when it is not and never will be.
   * @throws {UnsureWrite} when that is not known
   */
  append(record: CallRecord): Promise<void> {
    const written = this.#last.then(() => this.#write(`${JSON.stringify(record)}\n`))
    this.#last = written.catch(() => undefined)
    return written
  }

  /** Closes the file after what is under way is written. */
  async close(): Promise<void> {
    const closed = () => (this.#broken ??= new Error('The journal of the test line is closed.'))
    this.#last = this.#last.then(closed)
    await this.#last
    await this.#file.close()
  }

  async #write(text: string): Promise<void> {
    if (this.#broken) throw this.#broken
    try {
      await this.#file.appendFile(text)
      await this.#file.datasync()
      this.#length += Buffer.byteLength(text)
    } catch (error) {
      await this.#takeBack()
      throw error
    }
  }

  /** A half-written record would damage the next one, and one that was refused must not come to life at the next start. */
  async #takeBack(): Promise<void> {
    try {
      await this.#file.truncate(this.#length)
    } catch (cause) {
      this.#broken = new Error('The journal of the test line can no longer be written. Restart the gateway.', { cause })
      throw new UnsureWrite('The journal of the test line failed while the fax was being recorded.', { cause })
    }
  }
}

/**
 * Reads a journal from its beginning. A torn end, as a crash leaves it, is passed over; a missing file is empty.
 * @param visit gets every record and its line
 * @returns bytes of whole records
 * @throws {Error} when an unreadable line stands before a readable one: then the file was damaged by something else than a crash
 */
export async function readJournal(path: string, visit: (record: CallRecord, line: string) => void): Promise<number> {
  let whole = 0
  let torn = 0
  const take = (line: Buffer): void => {
    const text = line.toString('utf8')
    const record = parseRecord(text)
    if (record && torn > 0)
      throw new Error(`${path} is damaged at byte ${whole}. Move the file away, or restore it from a backup.`)
    if (!record) {
      torn += line.length + 1
      return
    }
    whole += line.length + 1
    visit(record, text)
  }
  await readLines(path, take)
  return whole
}

async function readLines(path: string, take: (line: Buffer) => void): Promise<void> {
  let rest: Buffer = Buffer.alloc(0)
  try {
    for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
      const data = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk
      let start = 0
      for (let end = data.indexOf(lineFeed); end !== -1; end = data.indexOf(lineFeed, start)) {
        take(data.subarray(start, end))
        start = end + 1
      }
      rest = data.subarray(start)
    }
  } catch (error) {
    if (!isMissing(error)) throw error
  }
}

/** Whether an error of the file system says that there is no such file. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
