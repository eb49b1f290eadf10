import type { Session } from '@faxdeck/contract'
import { useQuery } from '@tanstack/react-query'
import { useAction } from '../../api/use-action.ts'
import { Button } from '../../ui/control/button.tsx'
import { Chip } from '../../ui/control/status-chip.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { ErrorNotice } from '../../ui/layout/error-notice.tsx'
import { Skeleton } from '../../ui/layout/skeleton.tsx'
import { Ago, Time } from '../../ui/time.tsx'
import styles from './account.module.css'
import { browserName } from '../../ui/words/browser-name.ts'
import { endOtherSessions, endSession, sessionsQuery } from './queries.ts'

const refreshes = [['account', 'sessions']]

/** Where the person is signed in. */
export function SessionSection() {
  const { data: sessions, error, refetch } = useQuery(sessionsQuery)
  const end = useAction(endSession, { refreshes })
  const endOthers = useAction(endOtherSessions, { refreshes })
  const failure = end.error ?? endOthers.error
  return (
    <Card title="Where you’re signed in" width="full">
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!sessions && !error && <Skeleton lines={3} height={2.5} />}
      <ul className={styles.rows}>
        {sessions?.map((session) => (
          <SessionRow key={session.id} session={session} busy={end.busy} onEnd={() => end.run(session.id)} />
        ))}
      </ul>
      {failure && <ErrorNotice error={failure} />}
      {sessions && sessions.length > 1 && (
        <div className={styles.actions}>
          <Button busy={endOthers.busy} onClick={() => endOthers.run(undefined)}>
            Sign out everywhere else
          </Button>
        </div>
      )}
    </Card>
  )
}

function SessionRow({ session, busy, onEnd }: { session: Session; busy: boolean; onEnd: () => void }) {
  const { browser, address, created_at: since, active_at: active, current } = session
  const name = browserName(browser)
  return (
    <li className={styles.row}>
      <span className={styles.words}>
        <strong title={browser}>
          {name} {current && <Chip tone="info">This session</Chip>}
        </strong>
        <span className="quiet">
          {address}, since <Time at={since} />, last active <Ago at={active} />
        </span>
      </span>
      {!current && (
        <Button busy={busy} onClick={onEnd} aria-label={`End the session of ${name} at ${address}`}>
          End
        </Button>
      )}
    </li>
  )
}
