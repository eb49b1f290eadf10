import type { reportSteps } from '@faxdeck/contract'
import { Problem } from '../../base/http/answers/problem.ts'

type StepKind = (typeof reportSteps)[number]

interface Step {
  /** The first day. */
  begins: string
  /** The instant at which that day begins. */
  at: string
}

/** Days of a report, cut into steps, with the instants at which they begin. */
export interface Period {
  from: string
  to: string
  timeZone: string
  step: StepKind
  /** Whether test faxes are counted too. */
  tests: boolean
  steps: readonly Step[]
  /** The instant after the last day. */
  end: string
}

const dayMs = 86_400_000
/** More would be neither a chart nor a table that a person reads. */
const maxSteps = 400
const maxYears = 20

/** The time zone that the gateway runs in. */
export const ownTimeZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone

/** How far local time is ahead of UTC at an instant, in milliseconds. @param clock formats in the time zone */
function offsetAt(clock: Intl.DateTimeFormat, instant: number): number {
  const parts = Object.fromEntries(clock.formatToParts(instant).map(({ type, value }) => [type, Number(value)]))
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
  return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(instant / 1000) * 1000
}

function clockOf(timeZone: string): Intl.DateTimeFormat {
  const number = '2-digit'
  const fields = { month: number, day: number, hour: number, minute: number, second: number } as const
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone, year: 'numeric', ...fields, hourCycle: 'h23' })
  } catch {
    throw new Problem('bad_request', `There is no time zone called "${timeZone}". Enter a name like Europe/Berlin.`)
  }
}

/**
 * Finds the instants at which days begin in a time zone.
 * @param timeZone IANA name
 * @returns of a date, the instant; where clocks jump over midnight, that of the jump
 * @throws {Problem} `bad_request` when there is no such time zone
 */
export function dayStarts(timeZone: string): (date: string) => string {
  const clock = clockOf(timeZone)
  return (date) => {
    const local = Date.parse(`${date}T00:00:00.000Z`)
    // Of a jump at midnight, the offset before it leads to the first instant of the day.
    const [before, after] = [offsetAt(clock, local - dayMs), offsetAt(clock, local + dayMs)]
    const starts = [local - after, local - before].filter((at) => at + offsetAt(clock, at) >= local)
    return new Date(Math.min(...starts, local - Math.min(before, after))).toISOString()
  }
}

const dateOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)

function nextStep(day: number, step: StepKind): number {
  const date = new Date(day)
  if (step === 'month') return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)
  // Weeks begin on Monday (ISO 8601).
  return day + dayMs * (step === 'week' ? 7 - ((date.getUTCDay() + 6) % 7) : 1)
}

interface Asked {
  from: string
  to: string
  tests?: 'true' | 'false' | undefined
  step: StepKind
  time_zone?: string | undefined
}

/** Cuts a period into steps. @throws {Problem} `bad_request` when it is empty, too long, or its time zone unknown */
export function periodOf({ from, to, step, tests, time_zone: timeZone = ownTimeZone() }: Asked): Period {
  const startOf = dayStarts(timeZone)
  const [first, last] = [Date.parse(from), Date.parse(to)]
  if (last < first) throw new Problem('bad_request', 'The period ends before it begins. Choose a later last day.')
  if (last - first > maxYears * 366 * dayMs) {
    throw new Problem('bad_request', `A report covers at most ${maxYears} years. Choose a shorter period.`)
  }
  const steps: Step[] = []
  for (let day = first; day <= last; day = nextStep(day, step)) {
    steps.push({ begins: dateOf(day), at: startOf(dateOf(day)) })
    if (steps.length > maxSteps) {
      const longer = step === 'day' ? 'weeks or months' : 'months'
      throw new Problem(
        'bad_request',
        `A report can have at most ${maxSteps} steps. Choose ${longer}, or a shorter period.`,
      )
    }
  }
  return { from, to, timeZone, step, tests: tests === 'true', steps, end: startOf(dateOf(last + dayMs)) }
}
