import type { JobFilter, JobSort } from '@faxdeck/contract'
import type { TableOrder } from '../../../ui/table/table-columns.ts'
import { anyTime, boundsOf, rangeWords, type TimeRange } from '../../../ui/time-range.ts'
import { shortTime } from '../../../ui/time.tsx'

/** The filters as they stand in their fields; '' is no filter. */
export interface FilterFields extends TimeRange {
  q: string
  status: '' | NonNullable<JobFilter['status']>
  backend: string
  /** The id of a group. */
  group: string
  /** The id of the broadcast whose faxes are shown. */
  broadcast: string
  /** Only those that the broadcast counts so. */
  outcome: '' | NonNullable<JobFilter['outcome']>
  /** Which instant the time is about: when faxes were created, or `ended`. */
  time: '' | 'ended'
}

export const blankFilter: FilterFields = {
  q: '',
  status: '',
  backend: '',
  group: '',
  broadcast: '',
  outcome: '',
  time: '',
  ...anyTime,
}
const statusWords: Readonly<Record<FilterFields['status'], string>> = {
  '': '',
  queued: 'Queued',
  in_progress: 'In progress',
  waiting: 'Waiting',
  SUCCESS: 'Delivered',
  FAILED: 'Failed',
  unresolved: 'Unresolved',
  attention: 'Needs attention',
  held: 'Held after a restore',
}
/** The statuses in words; the filter itself, its address and the calls keep their names. */
export const statusChoices: readonly { value: FilterFields['status']; label: string }[] = (
  Object.keys(statusWords) as FilterFields['status'][]
).map((value) => ({ value, label: statusWords[value] || 'All' }))

export interface JobOrder extends TableOrder {
  sort: JobSort
}

/** By the time that the list is about, newest first. */
export const usualOrder = ({ time }: FilterFields): JobOrder => ({
  sort: time === 'ended' ? 'ended' : 'created',
  direction: 'desc',
})

/** Lists that other screens lead to, by what is opened here, and their status. */
const lists: Readonly<Record<string, FilterFields['status']>> = {
  held: 'held',
  attention: 'attention',
  queued: 'queued',
  waiting: 'waiting',
  failed: 'FAILED',
  unresolved: 'unresolved',
}

const isStatus = (text: string): text is FilterFields['status'] => statusChoices.some(({ value }) => value === text)
const isOutcome = (text: string): text is FilterFields['outcome'] => Object.hasOwn(outcomeWords, text)
const isRange = (text: string): text is TimeRange['range'] => Object.hasOwn(rangeWords, text)
const written = ['status', 'backend', 'group', 'broadcast', 'outcome', 'time', 'range', 'from', 'to'] as const

/** The filter as a text for an address. The search stays out of it: its words may name a person. */
export function writeFilter(filter: FilterFields): string {
  return new URLSearchParams(written.flatMap((key) => (filter[key] ? [[key, filter[key]]] : []))).toString()
}

/** The filter that a text holds; what it does not know is left out. */
export function readFilter(text: string): FilterFields {
  const given = new URLSearchParams(text)
  const of = (key: string) => given.get(key) ?? ''
  const [status, range, outcome] = [of('status'), of('range'), of('outcome')]
  return {
    q: '',
    status: isStatus(status) ? status : '',
    backend: of('backend'),
    group: of('group'),
    broadcast: of('broadcast'),
    outcome: of('broadcast') && isOutcome(outcome) ? outcome : '',
    time: of('time') === 'ended' ? 'ended' : '',
    range: isRange(range) ? range : '',
    from: of('from'),
    to: of('to'),
  }
}

const listPrefix = 'list?'
/** The filter of a list that is opened by name, or by `list?` and a filter; undefined of the id of a fax. */
export function namedList(open: string | undefined): FilterFields | undefined {
  if (open === undefined) return undefined
  if (open.startsWith(listPrefix)) return readFilter(open.slice(listPrefix.length))
  const status = Object.hasOwn(lists, open) ? lists[open] : undefined
  return status ? { ...blankFilter, status } : undefined
}

export const isBlank = (filter: FilterFields) => Object.values(filter).every((value) => value === '')

/** The filter as the gateway takes it. Relative times are counted from `now`, milliseconds since 1970. */
export function asQuery(filter: FilterFields, now: number): JobFilter {
  const { q, status, backend, group, broadcast, outcome, time } = filter
  const { from, until } = boundsOf(filter, now)
  return {
    ...(q.trim() && { q: q.trim() }),
    ...(status && { status }),
    ...(backend && { backend }),
    ...(group && { group }),
    ...(broadcast && { broadcast }),
    ...(outcome && { outcome }),
    ...(from && { from }),
    ...(until && { to_date: until }),
    ...(time && (from || until) && { time }),
  }
}

/** What is in force, in words, each with the fields without it. */
export function chipsOf(
  filter: FilterFields,
  nameOf: (backend: string) => string,
  groupName: (group: string) => string,
) {
  const { q, status, backend, group, broadcast, outcome, time, range, from, to } = filter
  const bounds = [from && `from ${shortTime(from)}`, to && `to ${shortTime(to)}`].filter(Boolean).join(' ')
  const when = range === 'custom' ? bounds : rangeWords[range]
  const chips = [
    { key: 'q', words: q.trim() && `“${q.trim()}”`, without: { q: '' } },
    { key: 'status', words: statusWords[status], without: { status: '' as const } },
    { key: 'backend', words: backend && nameOf(backend), without: { backend: '' } },
    { key: 'group', words: group && groupName(group), without: { group: '' } },
    {
      key: 'broadcast',
      words: broadcast && `Broadcast ${broadcast.slice(0, 8)}`,
      without: { broadcast: '', outcome: '' as const },
    },
    { key: 'outcome', words: outcome && outcomeWords[outcome], without: { outcome: '' as const } },
    {
      key: 'time',
      words: range && when && (time === 'ended' ? `Ended ${when.toLowerCase()}` : when),
      without: { ...anyTime, time: '' as const },
    },
  ]
  return chips.filter(({ words }) => words)
}

const outcomeWords: Readonly<Record<NonNullable<JobFilter['outcome']>, string>> = {
  queued: 'Queued',
  in_progress: 'In progress',
  delivered: 'Delivered',
  failed: 'Failed',
  cancelled: 'Canceled',
  unconfirmed: 'Unconfirmed',
}
