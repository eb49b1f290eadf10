import type { Mark } from '../fax/page-thumbnail.tsx'
import styles from './found-on.module.css'

const mostNamed = 8

function wordsFor(pages: readonly number[]): string {
  const named = pages.slice(0, mostNamed).join(', ')
  const more = pages.length > mostNamed ? ` and ${pages.length - mostNamed} more` : ''
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
