import { Problem } from '../../base/http/answers/problem.ts'

interface Session<T> {
  transport: T
  keyId: string
  usedAt: number
  close: () => Promise<void>
}

const idleMs = 30 * 60_000
const max = 200
/** Of those, of one caller: nobody pushes out the conversations of others. */
const maxPerKey = 50

/** Conversations that are under way, each of one caller. The one that was idle longest makes room for a new one. */
export class Sessions<T> {
  readonly #sessions = new Map<string, Session<T>>()
  readonly #now: () => Date

  constructor(now: () => Date) {
    this.#now = now
  }

  add(id: string, transport: T, keyId: string, close: () => Promise<void>): void {
    this.#closeIdle()
    const own = [...this.#sessions].filter(([, session]) => session.keyId === keyId)
    if (own.length >= maxPerKey && own[0]) this.end(own[0][0])
    this.#sessions.set(id, { transport, keyId, usedAt: this.#now().getTime(), close })
  }

  /** @throws {Problem} when there is no such conversation, or it is another caller's; the answer is the same */
  find(id: string, keyId: string): T {
    const session = this.#sessions.get(id)
    if (session?.keyId !== keyId) throw new Problem('not_found', 'This MCP session has ended. Start a new one.')
    session.usedAt = this.#now().getTime()
    // The order of the map is the order of use.
    this.#sessions.delete(id)
    this.#sessions.set(id, session)
    return session.transport
  }

  end(id: string): void {
    const session = this.#sessions.get(id)
    this.#sessions.delete(id)
    // A conversation that cannot be closed has lost its other end already.
    session?.close().catch(() => undefined)
  }

  endAll(): void {
    for (const id of [...this.#sessions.keys()]) this.end(id)
  }

  #closeIdle(): void {
    for (const [id, { usedAt }] of this.#sessions) {
      if (this.#sessions.size < max && usedAt > this.#now().getTime() - idleMs) return
      this.end(id)
    }
  }
}
