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
