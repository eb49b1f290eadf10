import type { HeadProof, Webhook, WebhookHead } from '@faxdeck/provider-kit'
import type { FastifyRequest } from 'fastify'
import { Problem } from '../http/answers/problem.ts'
import {
  type BodyBounds,
  documentBounds,
  LargeTexts,
  type ReadBody,
  readFormWithFiles,
  readText,
  textBounds,
  tooLarge,
} from './read-body.ts'
import { Slots } from './slots.ts'

const retryAfterSeconds = 30

interface Plan {
  bounds: BodyBounds
  slots: Slots
  read: () => Promise<ReadBody>
}

/**
 * Reads bodies of callbacks within bounds that depend on what the head has proved: who has proved nothing yet may not
 * hold more than a little memory or disk, nor keep those out who have.
 */
export class BodyReader {
  readonly #scratch: string
  readonly #largeTexts: LargeTexts
  readonly #proved = new Slots(32, 32)
  readonly #texts = new Slots(64, 16)
  readonly #documents = new Slots(8, 4)

  constructor(scratch: string) {
    this.#scratch = scratch
    this.#largeTexts = new LargeTexts(scratch)
  }

  /**
   * Reads a body; the caller closes it.
   * @throws {Problem} `too_large` before the body is read when its length is announced, `too_slow`, `bad_request`;
   * `unavailable` when too many are read at once
   */
  async read(request: FastifyRequest, webhook: Webhook, head: WebhookHead, proof: HeadProof, sender: string) {
    const plan = this.#planOf(request, webhook, head, proof)
    if (Number(head.headers['content-length'] ?? 0) > plan.bounds.bytes) throw tooLarge(plan.bounds)
    const giveBack = plan.slots.take(sender)
    if (!giveBack) {
      const sentence = 'Too many callbacks at once. Send this one again shortly.'
      throw new Problem('unavailable', sentence, { retryAfterSeconds })
    }
    return plan.read().finally(giveBack)
  }

  #planOf({ raw }: FastifyRequest, { takesFiles }: Webhook, { headers }: WebhookHead, proof: HeadProof): Plan {
    const type = headers['content-type'] ?? ''
    const isProved = proof === 'proved'
    if (takesFiles && /^multipart\/form-data\b/i.test(type)) {
      const slots = isProved ? this.#proved : this.#documents
      return { bounds: documentBounds, slots, read: () => readFormWithFiles(raw, type, this.#scratch) }
    }
    const isForm = /^(multipart\/form-data|application\/x-www-form-urlencoded)\b/i.test(type)
    if (takesFiles && isProved && !isForm) {
      return { bounds: documentBounds, slots: this.#proved, read: () => this.#largeTexts.read(raw) }
    }
    const slots = isProved ? this.#proved : this.#texts
    return { bounds: textBounds, slots, read: () => readText(raw, type) }
  }
}
