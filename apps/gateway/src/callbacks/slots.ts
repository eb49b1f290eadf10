/** Places for what may go on at once: so many in all, and so many for one sender. */
export class Slots {
  readonly #most: number
  readonly #maxEach: number
  readonly #taken = new Map<string, number>()
  #all = 0

  constructor(max: number, maxEach: number) {
    this.#most = max
    this.#maxEach = maxEach
  }

  /** Takes a slot. Returns how to release it, or undefined if none is free. */
  take(sender: string): (() => void) | undefined {
    const own = this.#taken.get(sender) ?? 0
    if (this.#all >= this.#most || own >= this.#maxEach) return undefined
    this.#all += 1
    this.#taken.set(sender, own + 1)
    return () => this.#giveBack(sender)
  }

  #giveBack(sender: string): void {
    this.#all -= 1
    const left = (this.#taken.get(sender) ?? 1) - 1
    if (left > 0) this.#taken.set(sender, left)
    else this.#taken.delete(sender)
  }
}
