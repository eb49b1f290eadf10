/** A talk with a telephone engine, signed in. */
export interface Session {
  /** Resolves when it is over, from either side. */
  readonly ended: Promise<void>
  end: () => void
}

interface Parts<S extends Session> {
  /** Connects and signs in. @throws {ProviderProblem} */
  open: (signal: AbortSignal) => Promise<S>
  /** Called at each sign-in, also after a loss. */
  onOpen: (session: S) => void
  /** Called at each fruitless try. */
  onProblem: (error: unknown) => void
  firstPauseMs?: number
  longestPauseMs?: number
}

const openTimeoutMs = 15_000

/** Keeps one session open: whenever it ends, it is opened again, with growing pauses while nobody answers. */
export class StandingConnection<S extends Session> {
  readonly #parts: Parts<S>
  readonly #closed = new AbortController()
  readonly #firstPause: number
  #current: Promise<S> | undefined
  #isOpen = false
  #retry: NodeJS.Timeout | undefined
  #pause: number

  constructor(parts: Parts<S>) {
    this.#parts = parts
    this.#firstPause = parts.firstPauseMs ?? 1000
    this.#pause = this.#firstPause
  }

  /** Whether there is somebody to talk to now. */
  get isOpen(): boolean {
    return this.#isOpen
  }

  /** Connects, and stays connected until it is closed. */
  start(): void {
    this.#connect().catch(() => undefined)
  }

  /**
   * The open session; without one, a try is made now.
   * @throws {ProviderProblem} what the try met
   * @throws the signal's reason
   */
  async session(signal: AbortSignal): Promise<S> {
    signal.throwIfAborted()
    const { promise, reject } = Promise.withResolvers<never>()
    const giveUp = () => reject(signal.reason as Error)
    signal.addEventListener('abort', giveUp)
    try {
      return await Promise.race([this.#connect(), promise])
    } finally {
      signal.removeEventListener('abort', giveUp)
    }
  }

  /** Ends the session and opens none any more. */
  async close(): Promise<void> {
    this.#closed.abort()
    clearTimeout(this.#retry)
    const session = await this.#current?.catch(() => undefined)
    session?.end()
    await session?.ended
  }

  #connect(): Promise<S> {
    if (this.#current) return this.#current
    clearTimeout(this.#retry)
    const opening = this.#parts.open(AbortSignal.any([this.#closed.signal, AbortSignal.timeout(openTimeoutMs)]))
    this.#current = opening
    void this.#follow(opening)
    return opening
  }

  async #follow(opening: Promise<S>): Promise<void> {
    try {
      const session = await opening
      this.#pause = this.#firstPause
      this.#isOpen = true
      this.#parts.onOpen(session)
      await session.ended
    } catch (error) {
      if (!this.#closed.signal.aborted) this.#parts.onProblem(error)
    }
    this.#isOpen = false
    this.#current = undefined
    if (this.#closed.signal.aborted) return
    // Jitter keeps several gateways from knocking all at once after the engine's restart.
    this.#retry = setTimeout(() => this.start(), this.#pause * (0.5 + Math.random() / 2))
    this.#pause = Math.min(2 * this.#pause, this.#parts.longestPauseMs ?? 30_000)
  }
}
