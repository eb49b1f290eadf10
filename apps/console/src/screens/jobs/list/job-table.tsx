import type { JobSummary } from '@faxdeck/contract'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { providerName, providersQuery } from '../../../api/providers.ts'
import { DataTable } from '../../../ui/table/data-table.tsx'
import type { Selection, TableOrder } from '../../../ui/table/table-columns.ts'
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
  const { data: providers } = useQuery(providersQuery)
  const columns = useMemo(() => {
    // Beside the details there is no room for all: which provider it was is said there.
    const isShown = (key: string) => !hidden.includes(key) && !(beside && key === 'backend')
    return jobColumns((id) => providerName(id, providers)).filter(({ key }) => isShown(key))
  }, [hidden, beside, providers])
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
