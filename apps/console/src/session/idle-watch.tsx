import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { accountQuery, staySignedIn } from '../api/account.ts'
import { Button } from '../ui/control/button.tsx'
import { Dialog } from '../ui/overlay/dialog.tsx'

/** Seconds before the end at which a person is warned. */
const warnSeconds = 60
/** Between two calls that say that the person is there. */
const apartMs = 60_000
const signs = ['pointerdown', 'keydown', 'wheel'] as const

/** Says that the person is there while they type or point, and warns them a minute before their session ends. */
export function IdleWatch({ seconds }: { seconds: number }) {
  const queries = useQueryClient()
  const [endsAt, setEndsAt] = useState(() => performance.now() + seconds * 1000)
  const [left, setLeft] = useState(seconds)
  const lastStay = useRef(-Infinity)
  const staying = useRef<AbortController>(undefined)
  const warned = left <= warnSeconds

  const extend = (nextSeconds: number) => {
    setEndsAt(performance.now() + nextSeconds * 1000)
    setLeft(nextSeconds)
  }
  const stay = () => {
    lastStay.current = performance.now()
    staying.current = new AbortController()
    // A failure needs no words here: the session goes on until its end, and every call says when it has ended.
    staySignedIn(staying.current.signal).then(
      ({ idle_seconds: next }) => extend(next),
      () => undefined,
    )
  }
  // Pressing "Log out" is a sign of presence too: answered after the session has ended, it would be a refusal.
  useEffect(() => () => staying.current?.abort(), [])
  useEffect(() => {
    const onSign = () => {
      if (!warned && performance.now() - lastStay.current >= apartMs) stay()
    }
    for (const sign of signs) addEventListener(sign, onSign, { passive: true })
    return () => signs.forEach((sign) => removeEventListener(sign, onSign))
  })
  useEffect(() => {
    // The person may be busy in another tab: before warning, and before the end, ask the gateway.
    const ask = () =>
      queries.query({ ...accountQuery, staleTime: 0 }).then(
        ({ session }) => session && extend(session.idle_seconds),
        () => undefined,
      )
    const timer = setInterval(() => {
      const now = Math.round((endsAt - performance.now()) / 1000)
      const passes = (mark: number) => left > mark && now <= mark
      if (passes(warnSeconds) || (left > 0 && now <= 0)) void ask()
      setLeft(now)
    }, 1000)
    return () => clearInterval(timer)
  }, [endsAt, left, queries])

  if (!warned || left <= 0) return null
  return (
    <Dialog
      title="Are you still there?"
      onClose={stay}
      footer={
        <Button tone="primary" autoFocus onClick={stay}>
          Stay signed in
        </Button>
      }
    >
      <p role="status">
        You will be signed out in {left} {left === 1 ? 'second' : 'seconds'}. The fax you are composing is kept.
      </p>
    </Dialog>
  )
}
