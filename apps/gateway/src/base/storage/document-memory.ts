/** A document is copied for whoever reads it, and once more to be stored. */
const copies = 3
/** Whoever takes part in this takes so much at least: what a call needs besides its document. */
const least = 256 * 1024

/** Documents that are held in memory at once, each with its copies. The threads that draw have memory of their own. */
export class DocumentMemory {
  readonly #capacity: number
  #free: number
  #waiting: { bytes: number; enter: () => void }[] = []

  /** @param capacity bytes for all documents together, copies included */
  constructor(capacity: number) {
    this.#capacity = capacity
    this.#free = capacity
  }

  /**
   * Waits for room for a document, in order of arrival; one that is larger than all of it is alone.
   * @param bytes of the document
   * @param over gives the signal to give up waiting, where there is anything to wait for
   * @returns how to give the room back, once
   * @throws the reason of the signal
   */
  async acquire(bytes: number, over?: () => AbortSignal): Promise<() => void> {
    const wanted = Math.min(this.#capacity, Math.max(least, bytes * copies))
    if (this.#waiting.length > 0 || wanted > this.#free) await this.#wait(wanted, over?.())
    else this.#free -= wanted
    let isHeld = true
    return () => {
      if (isHeld) this.#release(wanted)
      isHeld = false
    }
  }

  /** Does something with a document while there is room for it. */
  async use<T>(bytes: number, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted()
    const release = await this.acquire(bytes, signal && (() => signal))
    try {
      return await work()
    } finally {
      release()
    }
  }

  async #wait(bytes: number, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted()
    const { promise, resolve, reject } = Promise.withResolvers<undefined>()
    const entry = { bytes, enter: () => resolve(undefined) }
    this.#waiting.push(entry)
    const giveUp = () => {
      const place = this.#waiting.indexOf(entry)
      if (place === -1) return
      this.#waiting.splice(place, 1)
      reject(signal?.reason as Error)
      this.#admit()
    }
    signal?.addEventListener('abort', giveUp, { once: true })
    await promise.finally(() => signal?.removeEventListener('abort', giveUp))
  }

  #release(bytes: number): void {
    this.#free += bytes
    this.#admit()
  }

  #admit(): void {
    for (let next = this.#waiting[0]; next && next.bytes <= this.#free; next = this.#waiting[0]) {
      this.#free -= next.bytes
      this.#waiting.shift()
      next.enter()
    }
  }
}
