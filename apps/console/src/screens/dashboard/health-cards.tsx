import type { HealthStatus } from '@faxdeck/contract'
import { useQuery } from '@tanstack/react-query'
import type { ComponentProps, ReactNode } from 'react'
import { providerName, providersQuery } from '../../api/overview.ts'
import { useSession } from '../../session/session.ts'
import { Button } from '../../ui/control/button.tsx'
import { IconAlert, IconCheck } from '../../ui/control/icons.ts'
import { StatusChip } from '../../ui/control/status-chip.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { Skeleton } from '../../ui/layout/states.tsx'
import { Time, withLocalTimes } from '../../ui/time.tsx'
import { grouped } from '../../ui/words/figures.ts'
import styles from './dashboard.module.css'
import { Fact, Facts } from './facts.tsx'
import { useWay } from './use-way.ts'

interface Props {
  /** Undefined until the first answer. */
  health: HealthStatus | undefined
  /** Since when the answer is old. */
  oldSince: string | undefined
}

/** A card whose content is gray while it may be true no longer, and says since when. */
export function DatedCard({ oldSince, children, ...card }: ComponentProps<typeof Card> & Pick<Props, 'oldSince'>) {
  return (
    <Card {...card}>
      <div className={styles.state} data-old={oldSince !== undefined || undefined}>
        {children}
      </div>
      {oldSince !== undefined && (
        <p className={styles.old}>
          As of <Time at={oldSince} seconds />
        </p>
      )}
    </Card>
  )
}

function stateOf({ backend_healthy: isHealthy, backend_paused: isPaused }: HealthStatus) {
  if (isPaused) return 'Paused'
  return isHealthy ? 'Healthy' : 'Unhealthy'
}

export function SystemCard({ health, oldSince }: Props) {
  const { data: providers } = useQuery(providersQuery)
  const backend = health && providerName(health.backend, providers)
  const open = useWay('tools/diagnostics')
  return (
    <DatedCard oldSince={oldSince} title="System Status" onOpen={open}>
      {health ? (
        <>
          <StatusChip status={oldSince === undefined ? stateOf(health) : 'No answer'} />
          <p className={styles.sub}>Backend: {backend}</p>
          {health.problem && (
            <p className={health.backend_paused ? styles.sub : styles.wrong}>{withLocalTimes(health.problem)}</p>
          )}
        </>
      ) : (
        <Skeleton height={1.5} />
      )}
    </DatedCard>
  )
}

/** The list that the number of recent failures counts. */
const recentFailures = `list?${new URLSearchParams({ status: 'FAILED', time: 'ended', range: '1h' }).toString()}`

/** A number of faxes that leads to their list. */
function Counted({ count, label, list }: { count: number; label: string; list: string }) {
  const { canGo, go } = useSession()
  if (count === 0 || !canGo('jobs')) return grouped(count)
  return (
    <Button tone="quiet" aria-label={`${grouped(count)} ${label}`} onClick={() => go('jobs', { open: list })}>
      {grouped(count)}
    </Button>
  )
}

export function QueueCard({ health, oldSince }: Props) {
  const open = useWay('jobs')
  return (
    <DatedCard oldSince={oldSince} title="Job Queue" onOpen={open}>
      {health ? (
        <Facts>
          <Fact label="Queued">{grouped(health.jobs.queued)}</Fact>
          <Fact label="In progress">{grouped(health.jobs.in_progress)}</Fact>
          <Fact label="Waiting">
            <Counted count={health.jobs.waiting} label="waiting" list="waiting" />
          </Fact>
          <Fact label="Recent failures" tone={health.jobs.recent_failures > 0 ? 'bad' : undefined}>
            <Counted count={health.jobs.recent_failures} label="recent failures" list={recentFailures} />
          </Fact>
          <Fact label="Unresolved">
            <Counted count={health.jobs.unresolved} label="unresolved" list="unresolved" />
          </Fact>
        </Facts>
      ) : (
        <Skeleton height={1.5} />
      )}
    </DatedCard>
  )
}

export function InboundCard({ health, oldSince }: Props) {
  const open = useWay('inbound')
  return (
    <DatedCard oldSince={oldSince} title="Inbound Fax" onOpen={open}>
      {health ? (
        <>
          <StatusChip status={health.inbound_enabled ? 'Enabled' : 'Disabled'} />
          <p className={styles.count}>
            <span className={styles.big}>{grouped(health.inbound_today)}</span> received today,{' '}
            {grouped(health.inbound_unread)} unread
          </p>
        </>
      ) : (
        <Skeleton height={1.5} />
      )}
    </DatedCard>
  )
}

export function SecurityCard({ health, oldSince }: Props) {
  const { canGo } = useSession()
  const open = useWay(canGo('settings/security') ? 'settings/security' : 'settings/keys')
  return (
    <DatedCard oldSince={oldSince} title="Security" onOpen={open}>
      {health ? (
        <ul>
          <Assurance holds={health.require_auth}>{health.require_auth ? 'Auth Required' : 'Auth Optional'}</Assurance>
          <Assurance holds={health.api_keys_configured}>
            {health.api_keys_configured ? 'API Keys Configured' : 'No API Keys'}
          </Assurance>
          {health.weak_bootstrap_key && (
            <Assurance holds={false}>API_KEY is too short. Set one of at least 24 characters and restart.</Assurance>
          )}
        </ul>
      ) : (
        <Skeleton lines={2} height={1.5} />
      )}
    </DatedCard>
  )
}

function Assurance({ holds, children }: { holds: boolean; children: ReactNode }) {
  const Shape = holds ? IconCheck : IconAlert
  return (
    <li className={styles.assurance} data-holds={holds}>
      {children}
      <Shape size="1.125rem" aria-hidden="true" />
    </li>
  )
}
