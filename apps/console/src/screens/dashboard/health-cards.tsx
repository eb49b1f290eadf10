import type { HealthStatus } from '@faxdeck/contract'
import type { ReactNode } from 'react'
import { useSession } from '../../shell/session.ts'
import { Card } from '../../ui/card.tsx'
import { IconAlert, IconCheck } from '../../ui/icons.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { StatusChip } from '../../ui/status-chip.tsx'
import styles from './dashboard.module.css'
import { Fact, Facts } from './facts.tsx'
import { useWay } from './use-way.ts'

interface Props {
  /** Undefined until the first answer. */
  health: HealthStatus | undefined
}

export function SystemCard({ health }: Props) {
  const open = useWay('tools/diagnostics')
  return (
    <Card title="System Status" onOpen={open}>
      {health ? (
        <>
          <StatusChip status={health.backend_healthy ? 'Healthy' : 'Unhealthy'} />
          <p className={styles.sub}>Backend: {health.backend}</p>
          {health.problem && <p className={styles.wrong}>{health.problem}</p>}
        </>
      ) : (
        <Skeleton height={1.5} />
      )}
    </Card>
  )
}

export function QueueCard({ health }: Props) {
  const open = useWay('jobs')
  return (
    <Card title="Job Queue" onOpen={open}>
      {health ? (
        <Facts>
          <Fact label="Queued">{health.jobs.queued}</Fact>
          <Fact label="In progress">{health.jobs.in_progress}</Fact>
          <Fact label="Recent failures" tone={health.jobs.recent_failures > 0 ? 'bad' : undefined}>
            {health.jobs.recent_failures}
          </Fact>
        </Facts>
      ) : (
        <Skeleton height={1.5} />
      )}
    </Card>
  )
}

export function InboundCard({ health }: Props) {
  const open = useWay('inbound')
  return (
    <Card title="Inbound Fax" onOpen={open}>
      {health ? (
        <>
          <StatusChip status={health.inbound_enabled ? 'Enabled' : 'Disabled'} />
          <p className={styles.count}>
            <span className={styles.big}>{health.inbound_today}</span> received today, {health.inbound_unread} unread
          </p>
        </>
      ) : (
        <Skeleton height={1.5} />
      )}
    </Card>
  )
}

export function SecurityCard({ health }: Props) {
  const { canGo } = useSession()
  const open = useWay(canGo('settings/security') ? 'settings/security' : 'settings/keys')
  return (
    <Card title="Security" onOpen={open}>
      {health ? (
        <ul>
          <Assurance holds={health.require_auth}>{health.require_auth ? 'Auth Required' : 'Auth Optional'}</Assurance>
          <Assurance holds={health.api_keys_configured}>
            {health.api_keys_configured ? 'API Keys Configured' : 'No API Keys'}
          </Assurance>
        </ul>
      ) : (
        <Skeleton lines={2} height={1.5} />
      )}
    </Card>
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
