/** Lets so many tasks run at a time; the others wait in line. */
export class Lanes {
  readonly #width: number
  readonly #waiting: (() => Promise<void>)[] = []
  readonly #running = new Set<Promise<void>>()

  constructor(width: number) {
    this.#width = width
  }

  /** @param task answers for its own failures: it must not reject */
  enter(task: () => Promise<void>): void {
    this.#waiting.push(task)
    this.#fill()
  }

  /** Sends the waiting home and resolves when the running are through. */
  async close(): Promise<void> {
    this.#waiting.length = 0
    await Promise.all(this.#running)
  }

  #fill(): void {
    while (this.#running.size < this.#width) {
      const task = this.#waiting.shift()
      if (!task) return
      const running = task().finally(() => {
        this.#running.delete(running)
        this.#fill()
      })
      this.#running.add(running)
    }
  }
}
