import type { Readable } from 'node:stream'
import { Problem } from '../answers/problem.ts'
import { multipartFrame, tooLarge, uploadLimit, type UploadSettings } from '../upload-limit.ts'
import { randomBytes } from 'node:crypto'
import { readSync } from 'node:fs'
import { type FileHandle, mkdir, open, unlink } from 'node:fs/promises'
import { join } from 'node:path'

async function openUnnamed(folder: string): Promise<FileHandle> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const path = join(folder, `body-${randomBytes(12).toString('hex')}`)
  const file = await open(path, 'wx+', 0o600)
  await unlink(path)
  return file
}

/**
 * Bytes on disk that end with the one who holds them: the file has no name, so that not even a crash leaves it behind. It
 * is opened for the first of them.
 */
export class ScratchFile {
  readonly #folder: string
  #file: FileHandle | undefined
  #size = 0

  constructor(folder: string) {
    this.#folder = folder
  }

  get size(): number {
    return this.#size
  }

  async append(bytes: Uint8Array): Promise<void> {
    this.#file ??= await openUnnamed(this.#folder)
    await this.#file.writeFile(bytes)
    this.#size += bytes.length
  }

  /** Reads at once, holding the thread: only what is proved to be wanted. */
  read(from: number, length: number): Buffer {
    const bytes = Buffer.allocUnsafe(length)
    let read = 0
    while (read < length && this.#file) {
      const more = readSync(this.#file.fd, bytes, read, length - read, from + read)
      if (more === 0) throw new Error('A scratch file is shorter than what was written to it.')
      read += more
    }
    return bytes
  }

  async close(): Promise<void> {
    await this.#file?.close()
  }
}

/** What is larger waits on disk. */
const maxInMemory = 128 * 1024

/** A body that has arrived: a small one in memory, any other on disk until it is its turn. */
export class ArrivedBody {
  readonly #folder: string
  #pieces: Buffer[] = []
  #scratch: ScratchFile | undefined
  #size = 0

  /** @param folder for what does not stay in memory */
  constructor(folder: string) {
    this.#folder = folder
  }

  get size(): number {
    return this.#size
  }

  /** Whether it is small enough to have stayed there. */
  get isInMemory(): boolean {
    return this.#scratch === undefined
  }

  async add(piece: Buffer): Promise<void> {
    this.#size += piece.length
    this.#pieces.push(piece)
    if (this.#size <= maxInMemory) return
    this.#scratch ??= new ScratchFile(this.#folder)
    for (const one of this.#pieces) await this.#scratch.append(one)
    this.#pieces = []
  }

  /** All of it, in memory. */
  read(): Buffer {
    return this.#scratch?.read(0, this.#size) ?? Buffer.concat(this.#pieces)
  }

  /** Frees what it holds, in memory and on disk. */
  async close(): Promise<void> {
    const scratch = this.#scratch
    this.#scratch = undefined
    this.#pieces = []
    await scratch?.close()
  }
}

const incomplete = () => new Problem('bad_request', 'The form cannot be read. It was incomplete.')

/**
 * Takes in a body, bounded by the upload limit while it arrives: one that is too large is refused at once. The rest of it
 * is read and dropped, or the sender might never see the answer.
 * @throws {Problem} `too_large`; `bad_request` when it breaks off; what the disk refuses
 */
export async function takeBody(body: Readable, settings: UploadSettings, folder: string): Promise<ArrivedBody> {
  const max = uploadLimit(settings) + multipartFrame
  const arrived = new ArrivedBody(folder)
  const pieces = body.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer, undefined>
  const next = () =>
    pieces.next().catch(() => {
      throw incomplete()
    })
  try {
    for (let piece = await next(); !piece.done; piece = await next()) {
      if (arrived.size + piece.value.length > max) throw tooLarge(settings)
      await arrived.add(piece.value)
    }
    return arrived
  } catch (error) {
    await arrived.close()
    await pieces.return?.()
    body.resume()
    throw error
  }
}
