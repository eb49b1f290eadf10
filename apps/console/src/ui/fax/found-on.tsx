import type { Mark } from './page-thumbnail.tsx'
import styles from './found-on.module.css'

const maxNamed = 8

function wordsFor(pages: readonly number[]): string {
  const named = pages.slice(0, maxNamed).join(', ')
  const more = pages.length > maxNamed ? ` and ${pages.length - maxNamed} more` : ''
  return `${pages.length === 1 ? 'page' : 'pages'} ${named}${more}`
}

/** Says on which pages the words of a search were found; nothing when there are none. */
export function FoundOn({ typed, marks }: { typed: string; marks: ReadonlyMap<number, readonly Mark[]> }) {
  return (
    <p role="status" className={styles.found}>
      {marks.size > 0 && `“${typed}” is marked on ${wordsFor([...marks.keys()])}.`}
    </p>
  )
}
