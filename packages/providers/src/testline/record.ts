/** What became of a call. `unknown`: the answer is lost on the way back, so that nobody at our end knows. */
export type Ending = 'delivered' | 'busy' | 'no_answer' | 'partial' | 'cancelled' | 'unknown'

/** The line has taken an attempt and will let it end so, `seconds` later. */
export interface Taken {
  event: 'taken'
  attempt: string
  job: string
  pages: number
  /** Milliseconds since 1970. */
  at: number
  seconds: number
  ending: Ending
  /** Whether the far machine will print the fax: with `delivered`, and with `unknown` perhaps. */
  prints: boolean
}

/** The call is over. */
export interface Ended {
  event: 'ended'
  attempt: string
  at: number
  ending: Ending
  /** Whether the far machine printed the fax. */
  printed: boolean
}

/** The end was reported and a received fax was handed over: nothing is left to do. */
interface Settled {
  event: 'settled'
  attempt: string
  at: number
}

/** One line of the journal. */
export type CallRecord = Taken | Ended | Settled

const endings: ReadonlySet<unknown> = new Set<Ending>([
  'delivered',
  'busy',
  'no_answer',
  'partial',
  'cancelled',
  'unknown',
])

/** Reads one line of the journal; undefined when it is not a record. */
export function parseRecord(line: string): CallRecord | undefined {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return undefined
  }
  return isRecord(value) ? value : undefined
}

function isRecord(value: unknown): value is CallRecord {
  if (typeof value !== 'object' || value === null) return false
  const { event, attempt, at, ending, job, pages, seconds, prints, printed } = value as Partial<Record<string, unknown>>
  if (typeof attempt !== 'string' || typeof at !== 'number') return false
  if (event === 'settled') return true
  if (!endings.has(ending)) return false
  if (event === 'ended') return typeof printed === 'boolean'
  if (event !== 'taken' || typeof job !== 'string') return false
  return typeof pages === 'number' && typeof seconds === 'number' && typeof prints === 'boolean'
}
