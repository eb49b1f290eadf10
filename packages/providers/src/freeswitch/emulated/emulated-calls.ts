import { type CallPlan, type EmulatedFax, planCall } from '@faxdeck/provider-kit/emulator'
import { EmulatedDb } from './emulated-db.ts'

/** A call as originate asked for it. */
export interface EmulatedCall {
  uuid: string
  to: string
  pagesPath: string
  variables: Readonly<Record<string, string>>
}

/** An event: its headers, and a body of its own. */
export interface EmulatedEvent {
  headers: Readonly<Record<string, string>>
  body?: string
}

interface Parts {
  stepMs: number
  report: (event: EmulatedEvent) => void
  /** Reads the pages; how many there are, 0 when they cannot be read. */
  dialled: (call: EmulatedCall) => Promise<number>
  ended: (uuid: string, facts: Pick<EmulatedFax, 'state' | 'ending' | 'pagesConfirmed' | 'endedAt'>) => void
}

/** FreeSWITCH's words, as a real one was seen to report them. */
const unanswered: Readonly<Record<string, string>> = {
  busy: 'USER_BUSY',
  no_answer: 'NO_ANSWER',
  bad_number: 'UNALLOCATED_NUMBER',
}

/** Calls, which end as their number says, with the events of a real FreeSWITCH. */
export class EmulatedCalls {
  readonly db = new EmulatedDb()
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

  isUp(uuid: string): boolean {
    return this.#up.has(uuid)
  }

  async dial(call: EmulatedCall, plan: CallPlan): Promise<void> {
    this.#up.set(call.uuid, call)
    const reading = this.#parts.dialled(call)
    this.#reading.add(reading)
    const pages = await reading.finally(() => this.#reading.delete(reading))
    const ending = plan.answer === 'bad_number' ? 'bad_number' : plan.ending
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      this.#end(call, ending, pages, plan.callbacks)
    }, plan.length * this.#parts.stepMs)
    this.#timers.add(timer)
  }

  /** Ends a call as `uuid_kill` would. */
  kill(uuid: string): void {
    const call = this.#up.get(uuid)
    if (call) this.#end(call, 'cancelled', 1, 'ordinary')
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.#reading)
    for (const timer of this.#timers) clearTimeout(timer)
    this.#up.clear()
  }

  #end(call: EmulatedCall, ending: string, pages: number, callbacks: CallPlan['callbacks']): void {
    if (!this.#up.delete(call.uuid)) return
    const delivered = ['delivered', 'unknown_word'].includes(ending) && pages > 0
    const pagesConfirmed = delivered ? pages : ending === 'partial' ? 1 : 0
    const reported = ending === 'busy' || ending === 'no_answer' || ending === 'cancelled' ? ending : 'partial'
    this.#parts.ended(call.uuid, {
      state: 'ended',
      ending: delivered ? 'delivered' : reported,
      pagesConfirmed,
      endedAt: new Date(),
    })
    const events = eventsOf(call, { cause: unanswered[ending], delivered, pagesConfirmed, readable: pages > 0 })
    let isNoted = false
    for (const event of callbacks === 'muddled' ? [...events.toReversed(), ...events] : events) {
      if (!isNoted && event.headers['Event-Name'] === 'CHANNEL_HANGUP_COMPLETE') {
        this.#runHook(call, event.headers)
        isNoted = true
      }
      if (callbacks !== 'none') this.#parts.report(event)
    }
  }

  /** The hook runs before the end of the channel is reported, with the variables it has then. */
  #runHook({ variables }: EmulatedCall, hangup: EmulatedEvent['headers']): void {
    const [, argument] = /^db::(.*)$/.exec(variables.api_hangup_hook ?? '') ?? []
    if (argument === undefined) return
    this.db.run(argument.replace(/\$\{(\w+)\}/g, (_, name: string) => hangup[`variable_${name}`] ?? ''))
  }
}

interface Outcome {
  /** Set when nobody answered. */
  cause: string | undefined
  delivered: boolean
  pagesConfirmed: number
  readable: boolean
}

const causeOf = (cause: string) => ({ 'Hangup-Cause': cause, variable_hangup_cause: cause })

function eventsOf({ uuid, to, variables }: EmulatedCall, outcome: Outcome): EmulatedEvent[] {
  const { cause, delivered, pagesConfirmed, readable } = outcome
  const of = Object.entries(variables).map(([name, value]) => [`variable_${name}`, value] as const)
  const channel = { 'Unique-ID': uuid, 'Caller-Destination-Number': to, ...Object.fromEntries(of) }
  const job = { 'Event-Name': 'BACKGROUND_JOB', 'Job-UUID': uuid, 'Job-Command': 'originate' }
  const hangup = { 'Event-Name': 'CHANNEL_HANGUP_COMPLETE', ...channel }
  if (cause !== undefined) {
    return [
      { headers: { ...hangup, ...causeOf(cause), variable_answer_epoch: '0' } },
      { headers: job, body: `-ERR ${cause}\n` },
    ]
  }
  const answered = { ...hangup, ...causeOf('NORMAL_CLEARING'), variable_answer_epoch: '1795238901' }
  const began = { headers: job, body: `+OK ${uuid}\n` }
  // A file that cannot be read ends the application at once, without a result.
  if (!readable) return [began, { headers: answered }]
  const result = {
    success: delivered ? '1' : '0',
    'result-code': delivered ? '0' : '49',
    'result-text': delivered ? 'OK' : 'The call dropped prematurely',
    'document-transferred-pages': String(pagesConfirmed),
    'image-resolution': '8040x7700',
  }
  const named = (prefix: string, name: (text: string) => string) =>
    Object.fromEntries(Object.entries(result).map(([key, value]) => [prefix + name(key), value]))
  const custom = { 'Event-Subclass': 'spandsp::txfaxresult', 'Event-Name': 'CUSTOM', ...channel }
  return [
    began,
    { headers: { ...custom, ...named('fax-', (text) => text) } },
    { headers: { ...answered, ...named('variable_fax_', (text) => text.replaceAll('-', '_')) } },
  ]
}
