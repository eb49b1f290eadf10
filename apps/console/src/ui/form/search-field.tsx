import { useId } from 'react'
import styles from './fields.module.css'
import { IconSearch } from '../control/icons.ts'

interface Props {
  /** Its name, shown inside while it is empty: "Search words, number, ID or error". */
  label: string
  value: string
  onChange: (value: string) => void
}

/** The search of a screen; the `/` key comes here. Escape empties it. */
export function SearchField({ label, value, onChange }: Props) {
  const id = useId()
  return (
    <span className={styles.frame}>
      <label className="unseen" htmlFor={id}>
        {label}
      </label>
      <IconSearch size="1rem" className={styles.start} aria-hidden="true" />
      <input
        id={id}
        type="search"
        data-search
        autoComplete="off"
        className={`${styles.input} ${styles.withStart}`}
        placeholder={label}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => event.key === 'Escape' && onChange('')}
      />
    </span>
  )
}
