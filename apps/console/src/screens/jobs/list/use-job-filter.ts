import { useEffect, useEffectEvent, useState } from 'react'
import { useSession } from '../../../session/session.ts'
import { currentVisit } from '../../../session/visit.ts'
import { anyTime, timeRangeKey, type TimeRange } from '../../../ui/time-range.ts'
import { useKept } from '../../../ui/use-kept.ts'
import { blankFilter, namedList, readFilter, writeFilter, type FilterFields } from './job-filter.ts'

const mark = '#jobs?'

/** The filter in the address, when somebody came by one; its search, which stands in no address, where the page was only loaded again. */
function inAddress(kept: FilterFields): FilterFields | undefined {
  if (!location.hash.startsWith(mark)) return undefined
  const filter = readFilter(location.hash.slice(mark.length))
  return writeFilter(filter) === writeFilter(kept) ? { ...filter, q: kept.q } : filter
}

function showInAddress(filter: FilterFields | undefined): void {
  const text = filter && writeFilter(filter)
  const address = location.pathname + location.search + (text ? mark + text : '')
  if (address !== location.pathname + location.search + location.hash) history.replaceState(currentVisit(), '', address)
}

/**
 * The filter of the list: kept for the session, and in the address, so that it can be bookmarked. The last hours or days
 * are shared with other screens, instants of one's own are not. A list that another screen leads to stands above all
 * that and ends with the visit, as do the faxes of a broadcast: coming by the tab, a person finds what they chose here.
 */
export function useJobFilter(): [FilterFields, (filter: FilterFields) => void] {
  const { visit, go } = useSession()
  const [kept, keep] = useKept('jobs.filter', blankFilter)
  const [shared, share] = useKept<TimeRange>(timeRangeKey, anyTime)
  const [filter, setFilter] = useState(
    () =>
      inAddress({ ...blankFilter, ...kept }) ?? {
        ...blankFilter,
        ...kept,
        ...(kept.range !== 'custom' && shared.range !== 'custom' && shared),
        time: '' as const,
      },
  )
  const [seen, setSeen] = useState<typeof visit>()
  const asked = namedList(visit.open)
  if (asked && visit !== seen) {
    setSeen(visit)
    setFilter({ ...asked, q: visit.find ?? '' })
  }
  const forget = useEffectEvent(() => {
    if (asked) go('jobs', { replace: true })
  })
  useEffect(() => forget(), [visit])
  useEffect(() => showInAddress(filter), [filter, visit])
  useEffect(() => () => showInAddress(undefined), [])
  const change = (next: FilterFields) => {
    const { range, from, to } = next
    if (next.time === '' && range !== 'custom') share({ range, from, to })
    keep({ ...next, broadcast: '', outcome: '' })
    setFilter(next)
  }
  return [filter, change]
}
