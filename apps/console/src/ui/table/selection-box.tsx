import { useEffect, useRef } from 'react'
import styles from './selection-box.module.css'

interface Props {
  label: string
  checked: boolean
  /** Half marked: of what it stands for, only some is chosen. */
  some?: boolean
  /** @param ranged with Shift: as far as the one pressed before */
  onChange: (ranged: boolean) => void
}

/** A box for choosing a row, or all of them. */
export function SelectionBox({ label, checked, some = false, onChange }: Props) {
  const box = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (box.current) box.current.indeterminate = some
  }, [some])
  return (
    <label className={styles.box}>
      <input
        ref={box}
        type="checkbox"
        aria-label={label}
        checked={checked}
        onChange={({ nativeEvent }) => onChange('shiftKey' in nativeEvent && nativeEvent.shiftKey === true)}
      />
    </label>
  )
}
