import type { PageNote } from '@faxdeck/contract'
import styles from './page-notes.module.css'

/** What the check of the pages found, one line for each. Nothing when there is nothing to say. */
export function PageNotes({ notes }: { notes: readonly PageNote[] }) {
  if (notes.length === 0) return null
  return (
    <ul className={styles.notes} role="alert">
      {notes.map(({ page, kind, sentence }) => (
        <li key={`${page}-${kind}`}>{sentence}</li>
      ))}
    </ul>
  )
}
