import type { Config, HealthStatus } from '@faxdeck/contract'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { useSession } from '../../session/session.ts'
import { Button } from '../../ui/control/button.tsx'
import { IconCheck } from '../../ui/control/icons.ts'
import { isLoopback } from '../../ui/layout/https-note.tsx'
import { usePreference } from '../../ui/use-preference.ts'
import styles from './first-steps.module.css'
import { type Facts, firstStepsQuery } from './queries.ts'

const settings = 'settings/settings'

interface Step {
  label: string
  done: boolean
  target: string
  open?: string
  /** A page of the documentation, where no screen does it. */
  page?: string
}

const nothing: Facts = {
  hasSent: false,
  hasKey: false,
  hasReceived: false,
  hasPeople: false,
  isOpen: false,
}

/** In the order of a clinic's first day. */
function stepsOf(facts: Facts, config: Config, health: HealthStatus | undefined): Step[] {
  const isConnected = !config.test_line || config.test_line_bypasses !== null
  const isOpen = facts.isOpen || !isLoopback(location.hostname)
  const backup = { label: 'Make a backup', done: Boolean(health?.last_backup_at), target: settings, page: 'operations' }
  return [
    {
      label: config.test_line ? 'Send a test fax to +15555550123' : 'Send a test fax',
      done: facts.hasSent,
      target: 'send',
    },
    { label: 'Connect a provider', done: isConnected, target: 'settings/setup' },
    {
      label: 'Name the sender on your faxes',
      done: config.organization !== null,
      target: settings,
      open: 'fax_header',
    },
    { label: 'Receive a fax', done: facts.hasReceived, target: 'inbound' },
    { label: 'Let the office open this console', done: isOpen, target: 'people/people', page: 'people' },
    { label: 'Invite a person', done: facts.hasPeople, target: 'people/people', open: 'new' },
    { label: 'Create an API key', done: facts.hasKey, target: 'settings/keys', open: 'new' },
    ...(health && health.last_backup_at === undefined ? [] : [backup]),
  ]
}

/** What a new installation still needs, each line a way to it. Gone when all of it is done. */
export function FirstSteps({ config, health }: { config: Config; health: HealthStatus | undefined }) {
  const { go, canGo } = useSession()
  const [hidden, hide] = usePreference('dashboard.first-steps-hidden', false)
  // Before it is known what receives, and for people who may not see keys, nothing is asked: undefined would ask.
  const asks = health !== undefined && !hidden && canGo('settings/keys')
  const looks = {
    receives: health?.inbound_enabled === true,
    people: canGo('people/people'),
  }
  const { data: facts, error } = useQuery({ ...firstStepsQuery(looks), enabled: asks })
  // Until it is known what is done, the place is kept for it.
  const isKnown = facts !== undefined && health !== undefined
  const isShown = isKnown || (!error && !hidden && canGo('settings/keys'))
  const steps = isShown ? stepsOf(facts ?? nothing, config, health).filter(({ target }) => canGo(target)) : []
  const left = steps.filter(({ done }) => !done).length
  const isDone = isKnown && steps.length > 0 && left === 0
  // What is done once is not asked about again.
  const rest = useEffectEvent(() => hide(true))
  useEffect(() => {
    if (isDone) rest()
  }, [isDone])
  if (hidden || left === 0) return null
  const docs = config.branding.docs_base.replace(/\/$/, '')
  return (
    <section className={styles.card} aria-label={isKnown ? 'First steps' : undefined} data-known={isKnown}>
      <header className={styles.head}>
        <h2>First steps</h2>
        <span className={styles.count}>{`${steps.length - left} of ${steps.length} done`}</span>
        <Button tone="quiet" onClick={() => hide(true)}>
          Hide
        </Button>
      </header>
      <ol className={styles.steps}>
        {steps.map(({ label, done, target, open, page }) => {
          const words = (
            <>
              <span className={styles.tick}>{done && <IconCheck size="0.875rem" aria-hidden="true" />}</span>
              {label}
              {done && <span className="unseen"> (done)</span>}
            </>
          )
          return (
            <li key={label}>
              {page ? (
                <a href={`${docs}/${page}/`} target="_blank" rel="noreferrer" data-done={done || undefined}>
                  {words}
                </a>
              ) : (
                <button type="button" data-done={done || undefined} onClick={() => go(target, open ? { open } : {})}>
                  {words}
                </button>
              )}
            </li>
          )
        })}
      </ol>
    </section>
  )
}
