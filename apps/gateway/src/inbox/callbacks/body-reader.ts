import type { HeadProof, Webhook, WebhookHead } from '@faxdeck/provider-kit'
import type { FastifyRequest } from 'fastify'
import {
  type BodyBounds,
  documentBounds,
  type ReadBody,
  readFormWithFiles,
  readLargeText,
  readText,
  textBounds,
  tooLarge,
} from './read-body.ts'
import { Hold, Room, type Rooms } from './room.ts'
import type { DocumentMemory } from '../../base/storage/document-memory.ts'

const kB = 1024
const MB = 1024 * kB

interface Plan {
  bounds: BodyBounds
  read: (hold: Hold) => Promise<ReadBody>
}

/** Small bodies are held in memory, large ones on disk. */
const newRooms = (): Rooms => ({ small: new Room(32 * MB, 32 * kB), large: new Room(512 * MB, MB) })

/**
 * Reads bodies of callbacks within bounds that depend on what the head has proved: who has proved nothing yet may not
 * hold more than a little memory or disk, nor keep those out who have.
 */
export class BodyReader {
  readonly #scratch: string
  readonly #proved = newRooms()
  readonly #pending = newRooms()
  readonly #memory: DocumentMemory

  constructor(scratch: string, memory: DocumentMemory) {
    this.#scratch = scratch
    this.#memory = memory
  }

  /**
   * Reads a body; the caller closes it.
   * @throws {Problem} `too_large` before the body is read when its length is announced, `too_slow`, `bad_request`;
   * `unavailable` when too much is read at once
   */
  async read(
    request: FastifyRequest,
    webhook: Webhook,
    head: WebhookHead,
    proof: HeadProof,
    sender: string,
  ): Promise<ReadBody> {
    const plan = this.#planOf(request, webhook, head, proof)
    const announced = Number(head.headers['content-length'] ?? Number.NaN)
    if (announced > plan.bounds.bytes) throw tooLarge(plan.bounds)
    const hold = new Hold(proof === 'proved' ? this.#proved : this.#pending, sender, announced)
    try {
      const body = await plan.read(hold)
      const close = () => body.close().finally(() => hold.release())
      return { ...body, close }
    } catch (error) {
      hold.release()
      throw error
    }
  }

  /** Waits until the documents of a body may be in memory. @returns how to say that they no longer are */
  admit({ onDisk }: Pick<ReadBody, 'onDisk'>): Promise<() => void> {
    return this.#memory.acquire(onDisk)
  }

  #planOf({ raw }: FastifyRequest, { takesFiles }: Webhook, { headers }: WebhookHead, proof: HeadProof): Plan {
    const type = headers['content-type'] ?? ''
    if (takesFiles && /^multipart\/form-data\b/i.test(type))
      return { bounds: documentBounds, read: (hold) => readFormWithFiles(raw, type, this.#scratch, hold) }
    const isForm = /^(multipart\/form-data|application\/x-www-form-urlencoded)\b/i.test(type)
    if (takesFiles && proof === 'proved' && !isForm)
      return { bounds: documentBounds, read: (hold) => readLargeText(raw, this.#scratch, hold, this.#memory) }
    return { bounds: textBounds, read: (hold) => readText(raw, type, hold) }
  }
}
