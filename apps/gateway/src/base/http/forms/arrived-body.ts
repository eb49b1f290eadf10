import type { Readable } from 'node:stream'
import { Problem } from '../answers/problem.ts'
import { multipartFrame, tooLarge, uploadLimit, type UploadSettings } from '../upload-limit.ts'
import { ScratchFile } from './scratch-file.ts'

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
