import type { Person, Session } from '@faxdeck/contract'
import { useQuery } from '@tanstack/react-query'
import { useAction } from '../../api/use-action.ts'
import { Button } from '../../ui/control/button.tsx'
import { ErrorNotice } from '../../ui/layout/error-notice.tsx'
import { Skeleton } from '../../ui/layout/skeleton.tsx'
import { Ago } from '../../ui/time.tsx'
import { browserName } from '../../ui/words/browser-name.ts'
import styles from './people.module.css'
import { endSession, endSessions, peopleQuery, sessionsQuery } from './queries.ts'

/** Where a person is signed in; each session can be ended, or all of them. */
export function PersonSessions({ person: { id } }: { person: Person }) {
  const { data: sessions, error, refetch } = useQuery(sessionsQuery(id))
  // The sessions are a part of the people.
  const refreshes = [peopleQuery.queryKey]
  const end = useAction(endSession, { refreshes })
  const endAll = useAction(endSessions, { refreshes })
  const failure = end.error ?? endAll.error
  return (
    <section className={styles.section}>
      <div className={styles.row}>
        <h3>Sessions</h3>
        {sessions && sessions.length > 1 && (
          <Button tone="quiet" busy={endAll.busy} onClick={() => endAll.run(id)}>
            End all
          </Button>
        )}
      </div>
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {failure && <ErrorNotice error={failure} />}
      {!sessions && !error && <Skeleton lines={2} />}
      {sessions?.length === 0 && <p className="muted">Not signed in anywhere.</p>}
      {sessions && sessions.length > 0 && (
        <ul className={styles.sessions}>
          {sessions.map((session) => (
            <li key={session.id}>
              <Where session={session} />
              <Button
                tone="quiet"
                aria-label={`End the session of ${browserName(session.browser)} at ${session.address}`}
                busy={end.busy}
                onClick={() => end.run({ id, session: session.id })}
              >
                End
              </Button>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function Where({ session: { browser, address, active_at: active, current } }: { session: Session }) {
  return (
    <div className={styles.where}>
      {browserName(browser)}
      {current && ' (this session)'}
      <span>
        {address}, active <Ago at={active} />
      </span>
    </div>
  )
}
