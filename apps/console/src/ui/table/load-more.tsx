import { useState } from 'react'
import { Button } from '../control/button.tsx'
import { SaidOnce } from '../said-once.tsx'
import { grouped } from '../words/figures.ts'
import styles from './load-more.module.css'

interface Props {
  shown: number
  /** How many there are in all; undefined when that is not known. */
  total?: number
  /** True when counting stopped early: "more than 10,000". */
  totalIsMinimum?: boolean
  more: boolean
  busy: boolean
  onMore: () => void
}

/** Below a list: how much of it is shown, and a button for more. */
export function LoadMore({ shown, total, totalIsMinimum = false, more, busy, onMore }: Props) {
  const all = total === undefined ? '' : ` of ${totalIsMinimum ? 'more than ' : ''}${grouped(total)}`
  const [{ from, presses }, setPressed] = useState({ from: 0, presses: 0 })
  const press = () => {
    setPressed({ from: shown, presses: presses + 1 })
    onMore()
  }
  return (
    <div className={styles.foot}>
      <span>
        Showing {grouped(shown)}
        {all}
      </span>
      <SaidOnce act={presses} isSettled={shown > from} words={`Now showing ${grouped(shown)}${all}`} />
      {more && (
        <Button busy={busy} onClick={press}>
          Load more
        </Button>
      )}
    </div>
  )
}
