import type { JobSummary } from '@faxdeck/contract'
import { useState } from 'react'
import { SaidOnce } from '../../../ui/said-once.tsx'
import { grouped } from '../../../ui/words/figures.ts'
import styles from '../jobs.module.css'
import { BulkBar } from './bulk-bar.tsx'
import type { FilterFields } from './job-filter.ts'
import { SelectionBar } from './selection-bar.tsx'

interface Props {
  /** The rows read so far. */
  jobs: readonly JobSummary[]
  filter: FilterFields
  chosen: ReadonlySet<string>
  counted: { total: number; total_is_minimum: boolean } | undefined
  /** Whether the rows and their number are those of the filter yet. */
  isSettled: boolean
  onClear: () => void
}

/** Above the list: how many faxes there are, or what can be done with those that are chosen. */
export function ListSummary({ jobs, filter, chosen, counted, isSettled, onClear }: Props) {
  const [allOf, setAllOf] = useState<FilterFields>()
  const picked = jobs.filter((job) => chosen.has(job.id))
  const isAll = picked.length > 0 && picked.length === jobs.length
  const hasMore = counted !== undefined && (counted.total_is_minimum || counted.total > jobs.length)
  const words = counted && `${counted.total_is_minimum ? 'more than ' : ''}${grouped(counted.total)}`
  const total = counted
    ? `${counted.total_is_minimum ? 'More than ' : ''}${grouped(counted.total)} ${counted.total === 1 ? 'fax' : 'faxes'}`
    : ''
  const clear = () => {
    setAllOf(undefined)
    onClear()
  }
  if (allOf === filter && counted) {
    return (
      <div className={styles.summary}>
        <BulkBar filter={filter} total={words ?? ''} onClear={clear} />
      </div>
    )
  }
  return (
    <div className={styles.summary}>
      {chosen.size > 0 ? (
        <SelectionBar
          jobs={picked}
          matching={isAll && hasMore ? words : undefined}
          onAll={() => setAllOf(filter)}
          onClear={clear}
        />
      ) : (
        <p className="muted">{total}</p>
      )}
      <SaidOnce act={filter} isSettled={isSettled} words={total && `${total} found`} />
    </div>
  )
}
