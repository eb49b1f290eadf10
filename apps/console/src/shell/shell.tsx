import type { Account, Config, HealthStatus, Permission } from '@faxdeck/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef } from 'react'
import { refreshLive } from '../api/live/refresh-live.ts'
import { watch } from '../api/live/watch.ts'
import { healthQuery } from '../api/overview.ts'
import { useDesktopNotices, useNotices } from '../session/desktop-notices.ts'
import { IdleWatch } from '../session/idle-watch.tsx'
import { type Session, SessionContext } from '../session/session.ts'
import { leave, useVisit, visit } from '../session/visit.ts'
import { PageHead } from '../ui/layout/page-head.tsx'
import { Skeleton } from '../ui/layout/states.tsx'
import { useWide } from '../ui/layout/use-media.ts'
import { lazyPart, preloadWhenIdle } from '../ui/lazy-part.tsx'
import { usePreference } from '../ui/use-preference.ts'
import { Banners, ResetNotice } from './banners.tsx'
import { Header } from './header.tsx'
import { findPlace, openPlaces, type Place } from './navigation.ts'
import { Palette } from './palette/palette.tsx'
import { ScreenBoundary } from './screen-boundary.tsx'
import styles from './shell.module.css'
import { useHotkeys } from './use-hotkeys.ts'

const keysHelp = lazyPart(async () => (await import('./keys-help.tsx')).KeysHelp)

interface Props {
  config: Config
  /** Of a person; undefined for the holder of a key. */
  account: Account | undefined
  onLogOut: () => void
}

function useSessionOf({ config, account, onLogOut }: Props): Session {
  const present = useVisit()
  // A key opens everything but an account of its own.
  const may = useCallback(
    (wanted: Permission) => account?.permissions.includes(wanted) ?? wanted !== 'own_account',
    [account],
  )
  return useMemo<Session>(() => {
    const here = { config, may }
    const go: Session['go'] = (target, { open, find, replace } = {}) => {
      const place = findPlace(target, here)
      const shown = open ?? place?.aliases?.[target]
      const next = { ...(shown === undefined ? {} : { open: shown }), ...(find === undefined ? {} : { find }) }
      if (place) visit({ place: place.key, ...next }, { replace })
    }
    const canGo: Session['canGo'] = (target) => findPlace(target, here) !== undefined
    const person = account?.person ?? null
    return { config, visit: present, go, canGo, may, person, logOut: () => leave(onLogOut) }
  }, [account, config, may, onLogOut, present])
}

/** Everything the badges of all places count. */
const waitingIn = (places: readonly Place[], health: HealthStatus) =>
  places.reduce((sum, { badge }) => sum + (badge?.(health).count ?? 0), 0)

/** Names the page after the place and what waits, and moves focus there when a person has gone somewhere. */
function useArrival(place: Place | undefined, waiting: number) {
  const main = useRef<HTMLElement>(null)
  const arrived = useRef<string>(undefined)
  // Before the effects of the screen: what it moves the focus to stays focused.
  useLayoutEffect(() => {
    if (!place) return
    if (arrived.current && arrived.current !== place.key) main.current?.focus({ preventScroll: true })
    arrived.current = place.key
  }, [place])
  useEffect(() => {
    if (place) document.title = `${waiting > 0 ? `(${waiting > 99 ? '99+' : waiting}) ` : ''}${place.label} · Faxdeck`
  }, [place, waiting])
  return main
}

/** Everything around a screen: header, banners, palette; and the screen itself. */
export function Shell(props: Props) {
  const session = useSessionOf(props)
  const wide = useWide()
  const [isFolded, fold] = usePreference('test-line.folded', false)
  // A phone’s header has no room for the mark.
  const folded = wide && isFolded
  const place = findPlace(session.visit.place, session) ?? openPlaces(session)[0]
  const { overlay, show, close } = useHotkeys({
    goByLetter: (letter) => {
      const target = openPlaces(session).find(({ hotkey }) => hotkey === letter)
      if (target) session.go(target.key)
      return target !== undefined
    },
    onCompose: () => session.go('send'),
  })
  // The dashboard asks by itself, and more often.
  const notices = useDesktopNotices()
  const pause = place?.key === 'dashboard' && !notices.on ? false : watch.inbox
  const { data: health, isFetched } = useQuery({
    ...healthQuery,
    enabled: session.may('see_activity'),
    refetchInterval: pause,
    // A page that nobody looks at asks for nothing, unless it is to say what happens.
    refetchIntervalInBackground: notices.on,
  })
  useNotices(health, notices.on, session.go)
  const main = useArrival(place, health ? waitingIn(openPlaces(session), health) : 0)
  const queries = useQueryClient()
  const follows = session.may('open_faxes')
  useEffect(() => (follows ? refreshLive(queries) : undefined), [follows, queries])

  const { config, may } = session
  const isShown = isFetched || !may('see_activity')
  useEffect(() => {
    // After the first screen has what it shows.
    if (!isShown) return
    return preloadWhenIdle([...openPlaces({ config, may }).map((each) => each.screen), keysHelp])
  }, [config, isShown, may])

  return (
    <SessionContext value={session}>
      <button type="button" className={styles.skip} onClick={() => main.current?.focus()}>
        Skip to the content
      </button>
      <Header
        place={place}
        health={health}
        onPalette={() => show('palette')}
        onTestLine={folded ? () => fold(false) : undefined}
      />
      <Banners folded={folded} onFold={wide ? () => fold(true) : undefined} />
      {props.account?.factors_reset_at && <ResetNotice at={props.account.factors_reset_at} />}
      {props.account?.session && <IdleWatch seconds={props.account.session.idle_seconds} />}
      <main ref={main} tabIndex={-1} className={styles.main} aria-label={place?.label}>
        {place && (
          <ScreenBoundary key={place.key}>
            <place.screen.Part fallback={<Waiting title={place.label} />} />
          </ScreenBoundary>
        )}
      </main>
      {overlay === 'palette' && <Palette onClose={close} onHelp={() => show('keys')} />}
      {overlay === 'keys' && <keysHelp.Part onClose={close} />}
    </SessionContext>
  )
}

/** While the files of a screen are on their way: its name stands where it will stand. */
function Waiting({ title }: { title: string }) {
  return (
    <>
      <PageHead title={title} purpose="Loading…" />
      <Skeleton lines={6} height={2.5} />
    </>
  )
}
