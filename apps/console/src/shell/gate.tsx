import type { Config } from '@faxdeck/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import { onKeyRefused } from '../api/client.ts'
import { forgetKey, forgetRefusedKey, keepKey, onKeyChangedElsewhere, readKey } from '../api/key.ts'
import { forgetSealed } from '../api/tab-vault.ts'
import { configQuery, healthQuery } from '../api/overview.ts'
import { ErrorNotice } from '../ui/layout/error-notice.tsx'
import { forgetKept } from '../ui/use-kept.ts'
import styles from './gate.module.css'
import { lazyPart } from './lazy-part.tsx'
import { findScreen } from './navigation.ts'
import { Shell } from './shell.tsx'
import { currentVisit, visit } from './visit.ts'

const login = lazyPart(async () => (await import('../screens/login/login.tsx')).LoginScreen)

const refused = 'Your API key was revoked, rotated or has expired. Log in to continue where you were.'
const notEnough = 'Invalid API key or insufficient permissions'

/** Who is at the console: nobody yet, somebody whose key is being tried, or a person with a session. */
export function Gate() {
  const queries = useQueryClient()
  const [key, setKey] = useState(readKey)
  const [reason, setReason] = useState<string>()

  const enter = useCallback(
    (next: string | undefined, why?: string) => {
      queries.clear()
      setReason(why)
      setKey(next)
    },
    [queries],
  )
  const logOut = useCallback(() => {
    forgetKey()
    forgetKept()
    void forgetSealed()
    visit({ place: 'dashboard' }, { replace: true, ask: false })
    enter(undefined)
  }, [enter])

  useEffect(
    () =>
      onKeyRefused(() => {
        forgetRefusedKey()
        enter(undefined, refused)
      }),
    [enter],
  )
  useEffect(
    () =>
      onKeyChangedElsewhere((next, wasRefused) => {
        if (next) enter(next)
        else if (wasRefused) enter(undefined, refused)
        else logOut()
      }),
    [enter, logOut],
  )

  const logIn = (next: string, config: Config) => {
    keepKey(next)
    enter(next)
    queries.setQueryData(configQuery.queryKey, config)
  }
  const giveUp = useCallback(() => {
    forgetKey()
    enter(undefined, notEnough)
  }, [enter])

  if (key) return <WithKey key={key} onLogOut={logOut} onForbidden={giveUp} />
  return <login.Part reason={reason} onLogIn={logIn} />
}

interface WithKeyProps {
  onLogOut: () => void
  /** The key is good but may not administer. */
  onForbidden: () => void
}

function WithKey({ onLogOut, onForbidden }: WithKeyProps) {
  const { data, error, isFetching, refetch } = useQuery(configQuery)
  const queries = useQueryClient()
  // The screen's files and what the shell shows come while the key is being tried.
  useEffect(() => {
    void findScreen(currentVisit().place)?.preload()
    queries.query(healthQuery).catch(() => undefined)
  }, [queries])
  const forbidden = !data && error?.status === 403
  useEffect(() => {
    if (forbidden) onForbidden()
  }, [forbidden, onForbidden])

  if (data) return <Shell config={data} onLogOut={onLogOut} />
  if (!error || error.status === 401 || forbidden) return <div className={styles.waiting} aria-busy="true" />
  return (
    <main className={styles.stopped}>
      <ErrorNotice error={error} busy={isFetching} onRetry={() => void refetch()} />
    </main>
  )
}
