import type { JobFilter } from '@faxdeck/contract'

/** The filters as they stand in their fields; '' is no filter, days are days of the viewer's calendar. */
export interface FilterFields {
  q: string
  status: '' | NonNullable<JobFilter['status']>
  backend: string
  /** The id of the broadcast whose faxes are shown. */
  broadcast: string
  from: string
  to: string
}

export const blankFilter: FilterFields = { q: '', status: '', backend: '', broadcast: '', from: '', to: '' }
export const statusChoices: readonly { value: FilterFields['status']; label: string }[] = [
  { value: '', label: 'All' },
  { value: 'queued', label: 'queued' },
  { value: 'in_progress', label: 'in_progress' },
  { value: 'SUCCESS', label: 'SUCCESS' },
  { value: 'FAILED', label: 'FAILED' },
  { value: 'attention', label: 'Needs attention' },
  { value: 'held', label: 'Held after a restore' },
]

/** Lists that other screens lead to, by what is opened here, and their status. */
const lists: Readonly<Record<string, FilterFields['status']>> = {
  held: 'held',
  attention: 'attention',
  queued: 'queued',
  failed: 'FAILED',
}

/** The status of a list that is opened by name; undefined of the id of a fax. */
export const namedList = (open: string | undefined): FilterFields['status'] | undefined =>
  open !== undefined && Object.hasOwn(lists, open) ? lists[open] : undefined

/** What is asked for by opening `broadcast/<id>/<status>`: the faxes of a broadcast; undefined of anything else. */
export function broadcastFaxes(open: string | undefined): Pick<FilterFields, 'broadcast' | 'status'> | undefined {
  const [, broadcast, status = ''] = /^broadcast\/([0-9a-f]{32})\/(\w*)$/.exec(open ?? '') ?? []
  const known = statusChoices.find(({ value }) => value === status)
  return broadcast && known ? { broadcast, status: known.value } : undefined
}

export const isBlank = (filter: FilterFields) => Object.values(filter).every((value) => value === '')

/** The instant a calendar day of the viewer begins, plus whole days. */
function dayStart(day: string, plus = 0): Date | undefined {
  const [year, month, date] = day.split('-').map(Number)
  if (!year || !month || !date) return undefined
  return new Date(year, month - 1, date + plus)
}

/** The filter as the gateway takes it: days become the instants at which they begin and end here. */
export function asQuery({ q, status, backend, broadcast, from, to }: FilterFields): JobFilter {
  const start = dayStart(from)
  const next = dayStart(to, 1)
  return {
    ...(q.trim() && { q: q.trim() }),
    ...(status && { status }),
    ...(backend && { backend }),
    ...(broadcast && { broadcast }),
    ...(start && { from: start.toISOString() }),
    ...(next && { to_date: new Date(next.getTime() - 1).toISOString() }),
  }
}
