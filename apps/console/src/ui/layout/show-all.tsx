import { type ReactNode, useState } from 'react'
import { Button } from '../control/button.tsx'
import { grouped } from '../words/figures.ts'
import styles from './show-all.module.css'

interface Props<Item> {
  items: readonly Item[]
  /** How many are shown before a person asks for the rest. */
  first: number
  /** Never more than that, also where one or two are left. */
  atMost?: boolean
  /** What they are, in the plural: "numbers". */
  what: string
  children: (shown: readonly Item[]) => ReactNode
}

/** The first of a long list, and a button for all of it. A rest of one or two is not worth a button: it is shown. */
export function ShowAll<Item>({ items, first, atMost = false, what, children }: Props<Item>) {
  const [all, setAll] = useState(false)
  const isLong = items.length > first + (atMost ? 0 : 2)
  return (
    <>
      {children(isLong && !all ? items.slice(0, first) : items)}
      {isLong && (
        <div className={styles.foot}>
          <Button tone="quiet" aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? `Show the first ${first}` : `Show all ${grouped(items.length)} ${what}`}
          </Button>
        </div>
      )}
    </>
  )
}
