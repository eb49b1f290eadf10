/** A stretch of time as it stands in its fields: the last hour or days, or from one instant to another. */
export interface TimeRange {
  range: '' | '5m' | '15m' | '1h' | '24h' | '7d' | '30d' | 'custom'
  /** Of `custom`, of the viewer's clock as `datetime-local` gives it; '' is open. */
  from: string
  to: string
}

export const anyTime: TimeRange = { range: '', from: '', to: '' }

/** The name under which the range that a person chose is kept, for every screen that has one. */
export const timeRangeKey = 'time.range'

export const rangeWords: Readonly<Record<TimeRange['range'], string>> = {
  '': 'Any time',
  '5m': 'Last 5 minutes',
  '15m': 'Last 15 minutes',
  '1h': 'Last hour',
  '24h': 'Last 24 hours',
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
  custom: 'Custom date',
}

const minute = 60_000
const lengths: Partial<Record<TimeRange['range'], number>> = {
  '5m': 5 * minute,
  '15m': 15 * minute,
  '1h': 60 * minute,
  '24h': 24 * 60 * minute,
  '7d': 7 * 24 * 60 * minute,
  '30d': 30 * 24 * 60 * minute,
}

const wholeInstant = /^\d{4}-\d\d-\d\dT\d\d:\d\d/

function instantOf(local: string): string | undefined {
  const at = wholeInstant.test(local) ? Date.parse(local) : Number.NaN
  return Number.isNaN(at) ? undefined : new Date(at).toISOString()
}

/** The range as instants, the end not included; what is open or not valid is left out. @param now milliseconds since 1970 */
export function boundsOf({ range, from, to }: TimeRange, now: number): { from?: string; until?: string } {
  const length = lengths[range]
  if (length !== undefined) return { from: new Date(now - length).toISOString() }
  if (range !== 'custom') return {}
  const [start, end] = [instantOf(from), instantOf(to)]
  return { ...(start && { from: start }), ...(end && { until: end }) }
}

/** An instant as a `datetime-local` field holds it, to the minute. */
export function localMinute(at: Date): string {
  return at.toLocaleString('sv').slice(0, 16).replace(' ', 'T')
}
