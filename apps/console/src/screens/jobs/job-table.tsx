import type { JobSummary } from '@faxdeck/contract'
import { useMemo } from 'react'
import { DataTable } from '../../ui/table/data-table.tsx'
import type { Selection, TableOrder } from '../../ui/table/table-columns.ts'
import { jobColumns } from './job-columns.tsx'

interface Props {
  jobs: readonly JobSummary[]
  /** Keys of columns that are not shown. */
  hidden: readonly string[]
  /** Details stand beside the list. */
  beside: boolean
  current: string | undefined
  selection: Selection
  order: TableOrder
  onSort: (order: TableOrder) => void
  onOpen: (job: JobSummary) => void
}

/** The jobs: rows where there is room, cards where there is not. */
export function JobTable({ jobs, hidden, beside, ...rest }: Props) {
  const columns = useMemo(() => jobColumns.filter(({ key }) => !hidden.includes(key)), [hidden])
  return (
    <DataTable
      label="Fax jobs"
      rows={jobs}
      idOf={idOf}
      nameOf={(job) => `fax ${job.id.slice(0, 8)}`}
      columns={columns}
      stickyHead={!beside}
      {...rest}
    />
  )
}

const idOf = (job: JobSummary) => job.id
