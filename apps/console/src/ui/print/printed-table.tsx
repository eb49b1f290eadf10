import { useEffect, useEffectEvent, useState, type ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { beforePrinting } from './print-page.ts'
import styles from './printed-table.module.css'

/** What stands on paper. */
export interface Sheet {
  caption: string
  heads: readonly string[]
  rows: readonly { id: string; cells: readonly ReactNode[] }[]
}

/**
 * A list on paper: every row, not only those drawn on the screen. Made when the page is about to be printed, unless
 * that shows something else, and seen on paper alone.
 */
export function PrintedTable({ makeSheet }: { makeSheet: () => Promise<Sheet | undefined> }) {
  const [sheet, setSheet] = useState<Sheet>()
  const prepare = useEffectEvent(async () => setSheet(await makeSheet()))
  useEffect(() => {
    const stop = beforePrinting(() => prepare())
    const clear = () => setSheet(undefined)
    addEventListener('afterprint', clear)
    return () => {
      stop()
      removeEventListener('afterprint', clear)
    }
  }, [])
  if (!sheet) return null
  return createPortal(
    <table data-printed-list className={styles.table}>
      <caption>{sheet.caption}</caption>
      <thead>
        <tr>
          {sheet.heads.map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {sheet.rows.map(({ id, cells }) => (
          <tr key={id}>
            {cells.map((cell, at) => (
              <td key={sheet.heads[at]}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>,
    document.body,
  )
}
