import { plainText } from '../plain-words.ts'
import { type CallRecord, type CallStep, mergeRecords } from '../call-record.ts'

/** A call that is up, as far as its engine reports it. */
export interface LiveCall {
  direction: 'sent' | 'received'
  /** The attempt of a fax we send, the engine's id of one we receive. */
  id: string
  /** Of a received one. */
  from?: string
  to?: string
  record: CallRecord
}

interface Entry extends LiveCall {
  isOver: boolean
  /** When it was last mentioned by the engine. */
  heardAt: number
}

export type CallNumbers = Pick<LiveCall, 'from' | 'to'>

const maxCalls = 1000
const longestNumber = 100
/** An engine reports on a call that is up at least this often. */
const silentMs = 60 * 60_000

/** What is observed of calls while they are up. Bounded: of more calls than it holds, the oldest are forgotten. */
export class CallLog {
  readonly #calls = new Map<string, Entry>()
  readonly #now: () => Date

  constructor(now: () => Date) {
    this.#now = now
  }

  /** Notes facts of a call. One that is not known is taken for a new one. */
  note(id: string, facts: CallRecord, direction: LiveCall['direction'] = 'sent', numbers: CallNumbers = {}): void {
    const entry = this.#calls.get(id) ?? this.#begin(id, direction)
    entry.heardAt = this.#now().getTime()
    const plain = Object.entries(numbers).map(([name, number]) => [name, plainText(number, longestNumber)])
    Object.assign(entry, Object.fromEntries(plain))
    entry.record = mergeRecords(entry.record, facts) ?? {}
  }

  /** Notes that a call came to a step now. A step that it came to before keeps its time. */
  step(id: string, step: CallStep, page?: number): void {
    const at = this.#now().toISOString()
    this.note(id, { steps: [{ step, at, ...(page === undefined ? {} : { page }) }] })
  }

  /** Notes a speed that is in force now, and that was agreed on. */
  speed(id: string, bps: number, confirmed: number): void {
    this.note(id, { speeds: [{ bps, after_page: confirmed }] })
  }

  has = (id: string): boolean => this.#calls.has(id)

  /** What was observed of a call. */
  recordOf = (id: string): CallRecord | undefined => this.#calls.get(id)?.record

  /** The call is over: it is no longer live. What was observed is kept until it is forgotten. */
  end(id: string): void {
    const entry = this.#calls.get(id)
    if (entry) entry.isOver = true
  }

  /** The calls that are up. */
  live(): LiveCall[] {
    const since = this.#now().getTime() - silentMs
    return [...this.#calls.values()].filter(({ isOver, heardAt }) => !isOver && heardAt >= since)
  }

  #begin(id: string, direction: LiveCall['direction']): Entry {
    const entry = { id, direction, record: {}, isOver: false, heardAt: 0 }
    this.#calls.set(id, entry)
    const [oldest] = this.#calls.keys()
    if (oldest !== undefined && this.#calls.size > maxCalls) this.#calls.delete(oldest)
    return entry
  }
}
