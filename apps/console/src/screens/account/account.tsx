import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { factorsQuery } from '../../api/factors.ts'
import { useSession } from '../../session/session.ts'
import { Button } from '../../ui/control/button.tsx'
import { Card, CardGrid } from '../../ui/layout/card.tsx'
import { ErrorNotice } from '../../ui/layout/error-notice.tsx'
import { Note } from '../../ui/layout/note.tsx'
import { PageHead } from '../../ui/layout/page-head.tsx'
import { Skeleton } from '../../ui/layout/skeleton.tsx'
import styles from './account.module.css'
import { FactorSection } from './factor-section.tsx'
import { PasswordDialog } from './password-dialog.tsx'
import { SessionSection } from './session-section.tsx'

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
