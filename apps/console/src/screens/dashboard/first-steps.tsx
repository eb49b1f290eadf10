import type { Config, HealthStatus } from '@faxdeck/contract'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { useSession } from '../../session/session.ts'
import { Button } from '../../ui/control/button.tsx'
import { IconCheck } from '../../ui/control/icons.ts'
import { useKept } from '../../ui/use-kept.ts'
import styles from './first-steps.module.css'
import { firstStepsQuery } from './queries.ts'

/** What a new installation still needs, each line a way to it. Gone when all of it is done. */
export function FirstSteps({ config, health }: { config: Config; health: HealthStatus | undefined }) {
  const { go, canGo } = useSession()
  const [hidden, hide] = useKept('dashboard.first-steps-hidden', false)
  // Before it is known what receives, and for people who may not see keys, nothing is asked: undefined would ask.
  const asks = health !== undefined && !hidden && canGo('settings/keys')
  const { data: facts } = useQuery({ ...firstStepsQuery(health?.inbound_enabled === true), enabled: asks })
  const isConnected = !config.test_line || config.test_line_bypasses !== null
  const isDone = facts && isConnected && facts.hasSent && facts.hasKey && facts.hasReceived
  // What is done once is not asked about again.
  const rest = useEffectEvent(() => hide(true))
  useEffect(() => {
    if (isDone) rest()
  }, [isDone])
  if (hidden || !facts || !health) return null
  const steps = [
    {
      label: config.test_line ? 'Send a test fax to +15555550123' : 'Send a test fax',
      done: facts.hasSent,
      target: 'send',
    },
    { label: 'Connect a provider', done: isConnected, target: 'settings/setup' },
    { label: 'Create an API key', done: facts.hasKey, target: 'settings/keys', open: 'new' },
    { label: 'Receive a fax', done: facts.hasReceived, target: 'inbound' },
  ].filter(({ target }) => canGo(target))
  const left = steps.filter(({ done }) => !done).length
  if (left === 0) return null
  return (
    <section className={styles.card} aria-label="First steps">
      <header className={styles.head}>
        <h2>First steps</h2>
        <span className={styles.count}>{`${steps.length - left} of ${steps.length} done`}</span>
        <Button tone="quiet" onClick={() => hide(true)}>
          Hide
        </Button>
      </header>
      <ol className={styles.steps}>
        {steps.map(({ label, done, target, open }) => (
          <li key={label}>
            <button type="button" data-done={done || undefined} onClick={() => go(target, open ? { open } : {})}>
              <span className={styles.tick}>{done && <IconCheck size="0.875rem" aria-hidden="true" />}</span>
              {label}
              {done && <span className="unseen"> (done)</span>}
            </button>
          </li>
        ))}
      </ol>
    </section>
  )
}
