import type { Activity, ActivityRange, Config } from '@faxdeck/contract'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { useAction } from '../../api/use-action.ts'
import { useSession } from '../../session/session.ts'
import { Button } from '../../ui/control/button.tsx'
import { CardGrid } from '../../ui/layout/card.tsx'
import { PageHead } from '../../ui/layout/page-head.tsx'
import { ErrorNotice } from '../../ui/layout/states.tsx'
import { anyTime, timeRangeKey } from '../../ui/time-range.ts'
import { Time } from '../../ui/time.tsx'
import { useKept } from '../../ui/use-kept.ts'
import { usePreference } from '../../ui/use-preference.ts'
import { ActivityCard } from './activity-card.tsx'
import { AttentionCard } from './attention-card.tsx'
import { isSparse } from './chart-shape.ts'
import { ConfigCard, McpCard, PluginsCard } from './config-cards.tsx'
import { AppliedBanner, ApprovalsNotice, DeletionsNotice, ReviewNotice } from './dashboard-notices.tsx'
import styles from './dashboard.module.css'
import { FirstSteps } from './first-steps.tsx'
import { InboundCard, QueueCard, SecurityCard, SystemCard } from './health-cards.tsx'
import { activityQuery, configQuery, healthQuery } from './queries.ts'
import { QuickstartCard } from './quickstart-card.tsx'
import { useOldSince } from './use-old-since.ts'

const charted = (range: string): range is ActivityRange => ['1h', '24h', '7d', '30d'].includes(range)

/** Whether a sentence, which needs less room, stands in for the chart. Until that is known it is as it was the last time. */
function useSentence(activity: Activity | undefined): boolean {
  const [was, keep] = usePreference('dashboard.in-words', false)
  const is = activity ? isSparse(activity.hours) : was
  const note = useEffectEvent(() => {
    if (is !== was) keep(is)
  })
  useEffect(() => note(), [is])
  return is
}

/** Whether the line is up, and what needs attention. */
export function DashboardScreen() {
  const session = useSession()
  const { open } = session.visit
  const health = useQuery(healthQuery)
  const [kept, keepRange] = useKept(timeRangeKey, anyTime)
  // A time of one's own has no chart; it goes on to hold for the lists.
  const range = charted(kept.range) ? kept.range : '24h'
  const activity = useQuery(activityQuery(range))
  const { data: config = session.config, refetch: refetchConfig } = useQuery(configQuery)
  const refresh = useAction(() => Promise.all([health.refetch(), activity.refetch(), refetchConfig()]))
  const healthFailed = health.data ? null : health.error
  const activityFailed = activity.data ? null : activity.error
  const failed = healthFailed ?? activityFailed
  const oldSince = useOldSince(health)
  const activityOldSince = useOldSince(activity)
  const inWords = useSentence(activity.data)
  const actions = (
    <>
      <Updated at={health.dataUpdatedAt} failed={health.isRefetchError} stale={oldSince !== undefined} />
      <Button action={refresh}>Refresh</Button>
      {session.canGo('send') && (
        <Button tone="primary" onClick={() => session.go('send')}>
          Send a fax
        </Button>
      )}
    </>
  )
  return (
    <>
      <PageHead title="Dashboard" purpose="Is the line up, and does anything need your attention?" actions={actions} />
      {open === 'applied' && <AppliedBanner />}
      {open === 'applied-review' && <AppliedBanner then="review" />}
      {(open === 'review' || open === 'applied-review') && <ReviewNotice />}
      <ApprovalsNotice waiting={health.data?.approvals_waiting ?? 0} />
      <DeletionsNotice announced={health.data?.deletions_announced ?? 0} />
      {failed && (
        <div className={styles.notice}>
          <ErrorNotice error={failed} busy={refresh.busy} onRetry={() => refresh.run(undefined)} />
        </div>
      )}
      {!healthFailed && <FirstSteps config={config} health={health.data} />}
      <CardGrid>
        {!activityFailed && (
          <>
            <AttentionCard
              activity={activity.data}
              oldSince={activityOldSince}
              width={inWords ? 'two-thirds' : 'third'}
            />
            <ActivityCard
              width={inWords ? 'third' : 'two-thirds'}
              activity={activity.data}
              oldSince={activityOldSince}
              range={range}
              onRange={(next) => keepRange({ ...anyTime, range: next })}
            />
          </>
        )}
        {!healthFailed && (
          <>
            <SystemCard health={health.data} oldSince={oldSince} />
            <QueueCard health={health.data} oldSince={oldSince} />
            <InboundCard health={health.data} oldSince={oldSince} />
            <SecurityCard health={health.data} oldSince={oldSince} />
          </>
        )}
        <Overview config={config} />
      </CardGrid>
    </>
  )
}

function Overview({ config }: { config: Config }) {
  const width = config.v3_plugins.enabled ? 'third' : 'half'
  return (
    <>
      <ConfigCard config={config} width={width} />
      <McpCard config={config} width={width} />
      {config.v3_plugins.enabled && <PluginsCard config={config} width={width} />}
      <QuickstartCard />
    </>
  )
}

/** When the figures were last true; polling failures show nowhere else. */
function Updated({ at, failed, stale }: { at: number; failed: boolean; stale: boolean }) {
  if (at === 0) return null
  return (
    <span className={styles.updated} data-stale={stale || undefined}>
      Last updated <Time at={new Date(at).toISOString()} seconds />
      {failed ? ', last update failed' : stale && ', no answer since'}
    </span>
  )
}
