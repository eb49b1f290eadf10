import type { Config } from '@faxdeck/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import { accountQuery, signOut } from '../api/account.ts'
import { onKeyRefused } from '../api/client.ts'
import { forgetKey, keepKey, onKeyChangedElsewhere } from '../api/key.ts'
import { configQuery } from '../api/overview.ts'
import { onSignedInElsewhere } from '../api/signed-in.ts'
import { Confirmations } from '../session/confirm/confirmations.tsx'
import { visit } from '../session/visit.ts'
import { forgetEverything, forgetVisitor, greet, presentVisitor, type Visitor } from '../session/visitor.ts'
import { ErrorNotice } from '../ui/layout/states.tsx'
import { lazyPart } from '../ui/lazy-part.tsx'
import { askBeforehand } from './ask-beforehand.ts'
import styles from './gate.module.css'
import { Shell } from './shell.tsx'

const login = lazyPart(async () => (await import('../screens/login/login.tsx')).LoginScreen)
const invitation = lazyPart(async () => (await import('../screens/login/invitation.tsx')).InvitationScreen)

const singleSignOn = lazyPart(async () => (await import('../screens/login/single-sign-on.tsx')).SingleSignOnScreen)
const enrol = lazyPart(async () => (await import('../screens/account/enrol.tsx')).EnrolScreen)

const refused = 'Your API key was revoked, rotated or has expired. Log in to continue where you were.'
const over = 'Your session has ended. Sign in to continue where you were.'
const notEnough = 'Invalid API key or insufficient permissions'

/** The token of the link that opened the page; it stands behind the #, where no server sees it. */
const readInvitation = () => /^#invitation=([\w-]+)$/.exec(location.hash)?.[1]

/** What the provider of single sign-on sent the browser back with. It is taken out of the address at once. */
function takeAnswer(): string | undefined {
  const { search, pathname, hash } = location
  const given = new URLSearchParams(search)
  if (!given.has('state') || !(given.has('code') || given.has('error'))) return undefined
  history.replaceState(history.state, '', pathname + hash)
  return search
}

/** Who is at the console: nobody yet, somebody whose key is being tried, or a person with a session. */
export function Gate() {
  const queries = useQueryClient()
  const [visitor, setVisitor] = useState(presentVisitor)
  const [reason, setReason] = useState<string>()
  const [invited, setInvited] = useState(readInvitation)
  const [answer, setAnswer] = useState(takeAnswer)

  const enter = useCallback(
    (next: Visitor | undefined, why?: string) => {
      queries.clear()
      setReason(why)
      setVisitor(next)
    },
    [queries],
  )
  const leave = useCallback(() => {
    forgetEverything()
    visit({ place: 'dashboard' }, { replace: true, ask: false })
    enter(undefined)
  }, [enter])
  const logOut = useCallback(() => {
    // A session that could not be ended here ends by itself: nobody keeps it alive.
    if (visitor === 'person') signOut().catch(() => undefined)
    leave()
  }, [leave, visitor])

  useEffect(
    () =>
      onKeyRefused(() => {
        forgetVisitor()
        enter(undefined, visitor === 'person' ? over : refused)
      }),
    [enter, visitor],
  )
  useEffect(
    () =>
      onKeyChangedElsewhere((next, wasRefused) => {
        if (next) enter({ key: next })
        else if (wasRefused) enter(undefined, refused)
        else if (visitor !== 'person') leave()
      }),
    [enter, leave, visitor],
  )
  useEffect(
    () => onSignedInElsewhere((signedIn) => (signedIn ? enter('person') : enter(presentVisitor(), over))),
    [enter],
  )

  const logIn = (next: string, config: Config) => {
    keepKey(next)
    enter({ key: next })
    queries.setQueryData(configQuery.queryKey, config)
  }
  const closeInvitation = () => {
    history.replaceState(null, '', location.pathname)
    setInvited(undefined)
  }
  const signedIn = () => {
    closeInvitation()
    enter('person')
  }
  const giveUp = useCallback(() => {
    forgetKey()
    enter(undefined, notEnough)
  }, [enter])

  const arrived = () => {
    setAnswer(undefined)
    enter('person')
  }
  if (answer) return <singleSignOn.Part answer={answer} onSignedIn={arrived} onLeave={() => setAnswer(undefined)} />
  if (invited) return <invitation.Part token={invited} onSignedIn={signedIn} onLeave={closeInvitation} />
  if (visitor) {
    return (
      <>
        <Inside isPerson={visitor === 'person'} onLogOut={logOut} onForbidden={giveUp} />
        {visitor === 'person' && <Confirmations />}
      </>
    )
  }
  return <login.Part reason={reason} onLogIn={logIn} onSignedIn={() => enter('person')} />
}

interface InsideProps {
  isPerson: boolean
  onLogOut: () => void
  /** The key is good but may not administer. */
  onForbidden: () => void
}

function Inside({ isPerson, onLogOut, onForbidden }: InsideProps) {
  const { data, error, isFetching, refetch } = useQuery(configQuery)
  const own = useQuery({ ...accountQuery, enabled: isPerson })
  const queries = useQueryClient()
  useEffect(() => askBeforehand(queries, isPerson), [isPerson, queries])
  const mustEnrol = own.data?.must_enrol === true || error?.answer?.code === 'factor_required'
  const forbidden = !data && error?.status === 403 && !mustEnrol
  useEffect(() => {
    if (forbidden) onForbidden()
  }, [forbidden, onForbidden])
  const personId = own.data?.person?.id
  useEffect(() => {
    if (personId !== undefined) greet(personId)
  }, [personId])

  const problem = error ?? own.error
  if (mustEnrol) return <enrol.Part onLogOut={onLogOut} />
  if (data && (!isPerson || own.data)) return <Shell config={data} account={own.data} onLogOut={onLogOut} />
  if (!problem || problem.status === 401 || forbidden) return <div className={styles.waiting} aria-busy="true" />
  const again = () => {
    void refetch()
    if (isPerson) void own.refetch()
  }
  return (
    <main className={styles.stopped}>
      <ErrorNotice error={problem} busy={isFetching || own.isFetching} onRetry={again} />
    </main>
  )
}
