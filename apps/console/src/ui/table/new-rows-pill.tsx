import styles from './new-rows-pill.module.css'

interface Props {
  count: number
  onShow: () => void
}

/** "3 new": rows that wait above while a person reads or selects below. Shows nothing when none wait. */
export function NewRowsPill({ count, onShow }: Props) {
  return (
    <div className={styles.place} role="status">
      {count > 0 && (
        <button type="button" className={styles.pill} onClick={onShow}>
          {count} new
        </button>
      )}
    </div>
  )
}
