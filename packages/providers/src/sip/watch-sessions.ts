import type { CallLog, Spool } from '@faxdeck/provider-kit'
import type { AmiMessage } from './ami-frames.ts'
import type { AmiSession } from './ami-session.ts'
import { noteSession, sessionOf } from './call-facts.ts'

const everyMs = 2000
const answerWithinMs = 5000
/** More than a switch on one machine carries. */
const maxSessions = 200

interface Parts {
  calls: CallLog
  spool: Spool
  /** The open connection; rejects when there is none. */
  session: (signal: AbortSignal) => Promise<AmiSession>
  /** Whether there is one. */
  isOpen: () => boolean
}

/**
 * Asks Asterisk every two seconds how its fax sessions stand, for as long as there are any. It reports nothing of them by
 * itself to a user with the rights of ours, and an answer to a question costs it little.
 */
export class SessionWatch {
  readonly #parts: Parts
  #timer: NodeJS.Timeout | undefined
  #asked = 0
  #closed = false

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** There is a call, or may be one: looks at once, and again while there are calls. */
  wake(): void {
    if (this.#timer || this.#closed) return
    this.#timer = setTimeout(() => void this.#look(), everyMs / 4)
  }

  onEvent(event: AmiMessage): void {
    const { spool, calls } = this.#parts
    const kind = event.get('event')
    if (kind === 'FAXSession') noteSession(event, spool, calls)
    if (kind !== 'FAXSessionsEntry') return
    const session = sessionOf(event.get('files') ?? '', spool)
    const number = event.get('sessionnumber') ?? ''
    if (!session || !/^\d{1,10}$/.test(number) || this.#asked >= maxSessions) return
    this.#asked += 1
    const transport = { 'G.711': 'audio', 'T.38': 't38' }[event.get('sessiontype') ?? '']
    const known = transport === 'audio' || transport === 't38' ? ({ transport } as const) : {}
    calls.note(session.id, known, session.direction, session.numbers)
    void this.#ask('FAXSession', [['SessionNumber', number]])
    this.wake()
  }

  close(): void {
    this.#closed = true
    clearTimeout(this.#timer)
  }

  async #look(): Promise<void> {
    this.#asked = 0
    if (this.#parts.isOpen()) await this.#ask('FAXSessions', [])
    this.#timer = this.#closed ? undefined : setTimeout(() => this.#again(), everyMs)
  }

  #again(): void {
    this.#timer = undefined
    if (this.#parts.calls.live().length > 0) this.wake()
  }

  /** An Asterisk that cannot say, or does not answer now, leaves the record as it is. */
  async #ask(action: string, headers: readonly (readonly [string, string])[]): Promise<void> {
    const signal = AbortSignal.timeout(answerWithinMs)
    try {
      await (await this.#parts.session(signal)).ask(action, headers, signal)
    } catch {
      // The next look asks again.
    }
  }
}
