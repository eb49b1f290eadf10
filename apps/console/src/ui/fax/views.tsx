import type { FaxView, FaxViewKind } from '@faxdeck/contract'
import { type ReactNode, useState } from 'react'
import { Button } from '../control/button.tsx'
import { Time } from '../time.tsx'
import { actorWords } from '../words/hold-words.ts'
import styles from './openings.module.css'

const ways: Readonly<Record<FaxViewKind, string>> = {
  opened: 'Opened',
  downloaded: 'Downloaded',
  printed: 'Printed',
  found: 'Seen in search results',
}
const few = 5

interface Props {
  views: readonly FaxView[]
  recorded: boolean
  /** What can be done with them. */
  children: ReactNode
}

/** Who saw a fax, when and how, newest first. */
export function Views({ views, recorded, children }: Props) {
  const [all, setAll] = useState(false)
  const shown = all ? views : views.slice(0, few)
  return (
    <section aria-label="Opened by">
      <h3>Opened by</h3>
      {!recorded && (
        <p className="muted">
          Views are not recorded now. To record them, turn on “Record who opens documents” in Settings.
        </p>
      )}
      {recorded && views.length === 0 && <p className="muted">No one has opened this fax.</p>}
      <ul className={styles.openings}>
        {shown.map(({ at, how, key_id: id, name }) => (
          <li key={`${at} ${how} ${id}`}>
            <span className={styles.who}>{actorWords(id, name)}</span>
            <span className="muted">
              {ways[how]} <Time at={at} dated />
            </span>
          </li>
        ))}
      </ul>
      <div className={styles.actions}>
        {shown.length < views.length && <Button onClick={() => setAll(true)}>Show all {views.length}</Button>}
        {children}
      </div>
    </section>
  )
}
