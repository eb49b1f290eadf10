/** Bytes of documents that are in memory at once. */
export class Memory {
  readonly #capacity: number
  readonly #waiting: { bytes: number; enter: () => void }[] = []
  #free: number

  constructor(capacity: number) {
    this.#capacity = capacity
    this.#free = capacity
  }

  /** Waits for room in order of arrival; a document that is larger than all of it is alone. @returns how to give it back */
  async acquire(bytes: number): Promise<() => void> {
    const wanted = Math.min(bytes, this.#capacity)
    if (this.#waiting.length > 0 || wanted > this.#free) {
      await new Promise<void>((enter) => this.#waiting.push({ bytes: wanted, enter }))
    } else this.#free -= wanted
    let isHeld = true
    return () => {
      if (isHeld) this.#release(wanted)
      isHeld = false
    }
  }

  #release(bytes: number): void {
    this.#free += bytes
    for (let next = this.#waiting[0]; next && next.bytes <= this.#free; next = this.#waiting[0]) {
      this.#free -= next.bytes
      this.#waiting.shift()
      next.enter()
    }
  }
}
