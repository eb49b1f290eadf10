const tickMilliseconds = 20

/** Runs things later, however many, with a single timer. Nothing runs before its time; it may run up to 20 ms after. */
export class TimerWheel {
  readonly #slots = new Map<number, (() => void)[]>()
  #timer: NodeJS.Timeout | undefined
  #turned = tickNow()

  /** Runs `task` after so many milliseconds, on the next turn of the wheel when that is not positive. */
  after(milliseconds: number, task: () => void): void {
    this.#timer ??= this.#start()
    const tick = Math.max(this.#turned + 1, Math.ceil((performance.now() + milliseconds) / tickMilliseconds))
    const slot = this.#slots.get(tick)
    if (slot) slot.push(task)
    else this.#slots.set(tick, [task])
  }

  /** Forgets everything that has not run. */
  stop(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
    this.#slots.clear()
  }

  #start(): NodeJS.Timeout {
    this.#turned = tickNow()
    return setInterval(() => this.#turn(), tickMilliseconds)
  }

  #turn(): void {
    for (const now = tickNow(); this.#turned < now;) {
      this.#turned += 1
      const due = this.#slots.get(this.#turned) ?? []
      this.#slots.delete(this.#turned)
      for (const task of due) task()
    }
    if (this.#slots.size === 0) this.stop()
  }
}

function tickNow(): number {
  return Math.floor(performance.now() / tickMilliseconds)
}
