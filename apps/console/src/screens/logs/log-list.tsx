import { useState } from 'react'
import { DataTable } from '../../ui/table/data-table.tsx'
import { useHeldRows } from '../../ui/table/held-rows.ts'
import { NewRowsPill } from '../../ui/table/new-rows-pill.tsx'
import { useWide } from '../../ui/layout/use-wide.ts'
import { LogCards } from './log-cards.tsx'
import { logColumns } from './log-columns.tsx'
import type { LogRow } from './queries.ts'

const maxHeight = '520px'
const minWidth = '76rem'

interface Props {
  rows: readonly LogRow[]
  /** The entry whose dialog is open. */
  current: LogRow | undefined
  onOpen: (row: LogRow) => void
}

/** Entries in a frame that scrolls, newest first. They stay in place while a person reads further down. */
export function LogList({ rows: fresh, current, onOpen }: Props) {
  const [scrolled, setScrolled] = useState(false)
  const { rows, arrivals, showArrivals } = useHeldRows(fresh, scrolled || current !== undefined)
  const wide = useWide()
  const list = { label: 'Log entries', rows, onOpen, frame: { maxHeight, minWidth, onScrolled: setScrolled } }
  return (
    <>
      <NewRowsPill count={arrivals} onShow={showArrivals} />
      {wide ? (
        <DataTable
          {...list}
          idOf={(row) => row.id}
          nameOf={({ entry }) => `${entry.event} of ${entry.ts}`}
          columns={logColumns}
          current={current?.id}
        />
      ) : (
        <LogCards {...list} />
      )}
    </>
  )
}
