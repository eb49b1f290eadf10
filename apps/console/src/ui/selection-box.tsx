import { useEffect, useRef } from 'react'
import styles from './selection-box.module.css'
import type { Selection } from './table-columns.ts'

interface Props {
  label: string
  /** The rows this box stands for. */
  ids: readonly string[]
  selection: Selection
}

/** Chooses its rows or lets go of them; half marked while only some are chosen. */
export function SelectionBox({ label, ids, selection }: Props) {
  const box = useRef<HTMLInputElement>(null)
  const chosen = selection.chosen.size === 0 ? 0 : ids.filter((id) => selection.chosen.has(id)).length
  const all = ids.length > 0 && chosen === ids.length
  const some = chosen > 0 && !all
  useEffect(() => {
    if (box.current) box.current.indeterminate = some
  }, [some])
  const toggle = () => {
    const next = new Set(selection.chosen)
    for (const id of ids) {
      if (all) next.delete(id)
      else next.add(id)
    }
    selection.onChange(next)
  }
  return (
    <label className={styles.box}>
      <input ref={box} type="checkbox" aria-label={label} checked={all} onChange={toggle} />
    </label>
  )
}
