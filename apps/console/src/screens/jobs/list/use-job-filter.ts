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
 * The filter of the list: kept for the session, its time shared with other screens, and in the address, so that it can
 * be bookmarked. A list that another screen leads to stands above all that.
 */
export function useJobFilter(): [FilterFields, (filter: FilterFields) => void] {
  const { visit, go } = useSession()
  const [kept, keep] = useKept('jobs.filter', blankFilter)
  const [shared, share] = useKept<TimeRange>(timeRangeKey, anyTime)
  const [filter, setFilter] = useState(
    () => inAddress({ ...blankFilter, ...kept }) ?? { ...blankFilter, ...kept, ...shared, time: '' as const },
  )
  const put = (next: FilterFields) => {
    keep(next)
    setFilter(next)
  }
  const [seen, setSeen] = useState<typeof visit>()
  const asked = namedList(visit.open)
  if (asked && visit !== seen) {
    setSeen(visit)
    setFilter({ ...asked, q: visit.find ?? '' })
  }
  const forget = useEffectEvent(() => {
    if (!asked) return
    keep(filter)
    go('jobs', { replace: true })
  })
  useEffect(() => forget(), [visit])
  useEffect(() => showInAddress(filter), [filter, visit])
  useEffect(() => () => showInAddress(undefined), [])
  const change = (next: FilterFields) => {
    const { range, from, to } = next
    if (next.time === '') share({ range, from, to })
    put(next)
  }
  return [filter, change]
}
