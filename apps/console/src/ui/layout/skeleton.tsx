import styles from './skeleton.module.css'

interface Props {
  /** How many lines stand where the text will be. */
  lines?: number
  /** Height of one line in rem: 1 for text, 2.5 for table rows. */
  height?: number
}

/** Holds the place of what is being fetched, so that nothing jumps when it comes. */
export function Skeleton({ lines = 3, height = 1 }: Props) {
  return (
    <div className={styles.skeleton} aria-busy="true" aria-label="Loading" role="status">
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} style={{ height: `${height}rem` }} />
      ))}
    </div>
  )
}
