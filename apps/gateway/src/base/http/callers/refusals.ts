import type { EventFacts } from '../../events/facts.ts'

type Facts = EventFacts['callback_refused']
export type Refusal = Pick<Facts, 'path' | 'backend' | 'address'>

interface RefusalParts {
  record: (facts: readonly Facts[]) => Promise<void>
  /** Called with the reason if totals could not be recorded; they are retried a minute later. */
  onFailure: (error: unknown) => void
}

const minuteMs = 60_000
/** Addresses and senders distinguished at a time: more of them, as of somebody with a network to spend, become "others". */
const maxSenders = 100

/**
 * Records requests that could not prove where they come from, so that nobody can fill the audit trail with them: the
 * first of a sender at an address at once, the following as a sum each minute.
 */
export class Refusals {
  readonly #parts: RefusalParts
  readonly #senders = new Map<string, { refusal: Refusal; unrecorded: number }>()
  #timer: NodeJS.Timeout | undefined

  constructor(parts: RefusalParts) {
    this.#parts = parts
  }

  /** Resolves when the first of a sender is recorded. */
  async add(refusal: Refusal): Promise<void> {
    const known = this.#find(refusal)
    if (known) {
      known.unrecorded += 1
      return
    }
    const address = this.#senders.size < maxSenders ? refusal.address : 'others'
    const first = { ...refusal, address }
    this.#senders.set(nameOf(first), { refusal: first, unrecorded: 0 })
    this.#timer ??= setInterval(() => void this.flush(), minuteMs).unref()
    await this.#parts.record([{ ...first, count: 1 }])
  }

  #find(refusal: Refusal) {
    const own = this.#senders.get(nameOf(refusal))
    if (own || this.#senders.size < maxSenders) return own
    return this.#senders.get(nameOf({ ...refusal, address: 'others' }))
  }

  /** Records the totals since the last time, and forgets senders without new requests. */
  async flush(): Promise<void> {
    const sums: Facts[] = []
    for (const [name, sender] of this.#senders) {
      if (sender.unrecorded === 0) this.#senders.delete(name)
      else sums.push({ ...sender.refusal, count: sender.unrecorded })
      sender.unrecorded = 0
    }
    if (this.#senders.size === 0) this.#stopTimer()
    if (sums.length > 0) await this.#parts.record(sums).catch((error: unknown) => this.#takeBack(sums, error))
  }

  #takeBack(sums: readonly Facts[], error: unknown): void {
    for (const { count, ...refusal } of sums) {
      const sender = this.#senders.get(nameOf(refusal))
      if (sender) sender.unrecorded += count
    }
    this.#parts.onFailure(error)
  }

  #stopTimer(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  /** Records what is left. */
  async close(): Promise<void> {
    this.#stopTimer()
    await this.flush()
  }
}

const nameOf = ({ path, address }: Refusal) => `${path} ${address}`
