import { writeFile } from 'node:fs/promises'
import { type CallPlan, type EmulatedFax, planCall } from '@faxdeck/provider-kit/emulator'

/** A call as Originate asked for it. */
export interface EmulatedCall {
  attemptId: string
  /** The channel's unique id. */
  providerId: string
  to: string
  /** Paths as the gateway gave them. */
  pages: string
  result: string
}

export type AmiEvent = Readonly<Record<string, string>>

interface Parts {
  stepMs: number
  report: (event: AmiEvent) => void
  /** Reads the pages; how many there are. */
  dialled: (call: EmulatedCall) => Promise<number>
  ended: (providerId: string, facts: Pick<EmulatedFax, 'state' | 'ending' | 'pagesConfirmed' | 'endedAt'>) => void
}

/** Q.850 causes and reasons of Originate, as a real Asterisk was seen to report them. */
const unanswered: Readonly<Record<string, readonly [cause: string, reason: string]>> = {
  busy: ['17', '0'],
  no_answer: ['19', '3'],
  bad_number: ['1', '0'],
}

/** Calls, which end as their number says; each leaves the note that the shipped dialplan would leave. */
export class EmulatedCalls {
  readonly #parts: Parts
  readonly #up = new Map<string, EmulatedCall>()
  readonly #tries = new Map<string, number>()
  readonly #timers = new Set<NodeJS.Timeout>()
  readonly #reading = new Set<Promise<number>>()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  plan(to: string): CallPlan {
    const before = this.#tries.get(to) ?? 0
    this.#tries.set(to, before + 1)
    return planCall(to, before)
  }

  /** The call that is up on a channel. */
  find(providerId: string): EmulatedCall | undefined {
    return this.#up.get(providerId)
  }

  async dial(call: EmulatedCall, plan: CallPlan): Promise<void> {
    this.#up.set(call.providerId, call)
    const reading = this.#parts.dialled(call)
    this.#reading.add(reading)
    const pages = await reading.finally(() => this.#reading.delete(reading))
    const ending = plan.answer === 'bad_number' ? 'bad_number' : plan.ending
    const wait = plan.callbacks === 'early' ? 0 : plan.length * this.#parts.stepMs
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      void this.#end(call, ending, pages, plan.callbacks)
    }, wait)
    this.#timers.add(timer)
  }

  /** Ends a call as `Action: Hangup` would. */
  hangUp(call: EmulatedCall): void {
    void this.#end(call, 'cancelled', 0, 'ordinary')
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.#reading)
    for (const timer of this.#timers) clearTimeout(timer)
    this.#up.clear()
  }

  async #end(call: EmulatedCall, ending: string, pages: number, callbacks: CallPlan['callbacks']): Promise<void> {
    const { attemptId, providerId, to } = call
    if (!this.#up.delete(providerId)) return
    const channel = { Channel: `PJSIP/trunk-${attemptId.slice(0, 8)}`, Uniqueid: providerId, Exten: 'send' }
    const [cause = '16', reason = ''] = unanswered[ending] ?? []
    const wasAnswered = unanswered[ending] === undefined
    const delivered = ['delivered', 'unknown_word'].includes(ending) && pages > 0
    const confirmed = delivered ? pages : ending === 'partial' ? 1 : 0
    const began = ending !== 'cancelled' && pages > 0
    const status = delivered ? 'SUCCESS' : 'FAILED'
    const error = delivered ? 'HANGUP' : pages === 0 ? 'FILE_ERROR' : 'The%20call%20dropped%20prematurely'
    const fax = wasAnswered
      ? `&status=${status}&pages=${confirmed}&mode=audio&rate=14400&resolution=${began ? '8031x7700' : '0x0'}&error=${error}&station=%2B${to.replace('+', '')}`
      : '&status=&pages=&mode=&rate=&resolution=&error=&station='
    const reported = `attempt=${attemptId}&answered=${wasAnswered ? '1' : ''}&cause=${cause}${fax}&end=1`
    await writeFile(call.result, reported).catch(() => undefined)
    this.#parts.ended(providerId, {
      state: 'ended',
      ending: delivered
        ? 'delivered'
        : ending === 'busy' || ending === 'no_answer' || ending === 'cancelled'
          ? ending
          : 'partial',
      pagesConfirmed: confirmed,
      endedAt: new Date(),
    })
    if (callbacks === 'none') return
    const result = { Event: 'UserEvent', ...channel, UserEvent: 'FaxdeckSent', Result: reported }
    const hangup = { Event: 'Hangup', ...channel, Cause: cause, 'Cause-txt': 'as it is' }
    const failure = { Event: 'OriginateResponse', ActionID: attemptId, Response: 'Failure', ...channel, Reason: reason }
    const events = wasAnswered ? [result, hangup] : [result, failure, hangup]
    for (const event of callbacks === 'muddled' ? [...events.toReversed(), ...events] : events)
      this.#parts.report(event)
  }
}
