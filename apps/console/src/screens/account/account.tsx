import type { Session } from '@faxdeck/contract'
import { useQuery } from '@tanstack/react-query'
import { type SubmitEvent, useState } from 'react'
import { factorsQuery } from '../../api/account.ts'
import { useAction } from '../../api/use-action.ts'
import { useSession } from '../../session/session.ts'
import { Button } from '../../ui/control/button.tsx'
import { Chip } from '../../ui/control/status-chip.tsx'
import form from '../../ui/form/fields.module.css'
import { SecretField } from '../../ui/form/fields.tsx'
import { Card, CardGrid } from '../../ui/layout/card.tsx'
import { PageHead } from '../../ui/layout/page-head.tsx'
import { ErrorNotice, Note, Skeleton } from '../../ui/layout/states.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { Ago, Time } from '../../ui/time.tsx'
import { browserName } from '../../ui/words/browser-name.ts'
import styles from './account.module.css'
import { FactorSection } from './factor-section.tsx'
import { changePassword, endOtherSessions, endSession, sessionsQuery } from './queries.ts'

/** The account of the person at the console: password, second factors, sessions. */
export function AccountScreen() {
  const { person } = useSession()
  const { data: factors, error, refetch } = useQuery(factorsQuery)
  const [changing, setChanging] = useState(false)
  const [isChanged, setIsChanged] = useState(false)
  const changed = () => {
    setChanging(false)
    setIsChanged(true)
  }
  return (
    <>
      <PageHead title="Account" purpose="How you sign in and where you’re signed in." />
      <CardGrid>
        {person && (
          <Card title="You" width="full">
            <div className={styles.row}>
              <span className={styles.words}>
                <strong>{person.name}</strong>
                <span className="quiet">
                  {person.email}, {person.role.charAt(0).toUpperCase() + person.role.slice(1)}
                </span>
              </span>
              {factors?.has_password !== false && <Button onClick={() => setChanging(true)}>Change password</Button>}
            </div>
            {isChanged && (
              <div role="status">
                <Note tone="ok">Password changed. You were signed out everywhere else.</Note>
              </div>
            )}
          </Card>
        )}
        {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
        {!factors && !error && <Skeleton lines={4} height={2.5} />}
        {factors && <FactorSection factors={factors} />}
        <SessionSection />
      </CardGrid>
      {changing && person && (
        <PasswordDialog email={person.email} onDone={changed} onClose={() => setChanging(false)} />
      )}
    </>
  )
}

/** Chooses another password; every other session ends. */
export function PasswordDialog({ email, onDone, onClose }: { email: string; onDone: () => void; onClose: () => void }) {
  const [next, setNext] = useState('')
  const change = useAction(changePassword, { onDone, refreshes: [['account']] })
  const fault = change.error?.answer?.fields?.[0]?.message
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (next) change.run(next)
  }
  const type = (value: string) => {
    setNext(value)
    change.reset()
  }
  return (
    <Dialog title="Change password" onClose={onClose} dismissable={!change.busy}>
      <form className={form.form} onSubmit={submit}>
        {/* Password managers keep the password under this name. */}
        <input type="email" autoComplete="username" value={email} readOnly hidden />
        <SecretField
          label="New password"
          autoComplete="new-password"
          value={next}
          onChange={type}
          wrong={fault}
          help={fault === undefined ? 'At least 12 characters. You will be signed out everywhere else.' : undefined}
        />
        {change.error && fault === undefined && <ErrorNotice error={change.error} />}
        <Button type="submit" tone="primary" disabled={!next} busy={change.busy}>
          Change password
        </Button>
      </form>
    </Dialog>
  )
}

const refreshes = [['account', 'sessions']]

/** Where the person is signed in. */
function SessionSection() {
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
          <Button action={endOthers}>Sign out everywhere else</Button>
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
