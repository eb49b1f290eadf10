import type { Lines } from '@faxdeck/contract'
import { useQuery } from '@tanstack/react-query'
import { providerName, type Providers, providersQuery } from '../../api/overview.ts'
import { IconLines } from '../../ui/control/icons.ts'
import { Card, CardGrid } from '../../ui/layout/card.tsx'
import { PageHead } from '../../ui/layout/page-head.tsx'
import { EmptyState, ErrorNotice, Skeleton } from '../../ui/layout/states.tsx'
import { Time } from '../../ui/time.tsx'
import { grouped } from '../../ui/words/figures.ts'
import { CallReportTable } from './call-report-table.tsx'
import { Channels } from './channels.tsx'
import styles from './lines.module.css'
import { linesQuery, reportQuery } from './queries.ts'
import { RememberedNumbers } from './remembered-numbers.tsx'

/** The telephone lines: calls that are up, numbers with trouble, how busy the lines are, what is remembered. */
export function LinesScreen() {
  const lines = useQuery(linesQuery)
  const report = useQuery(reportQuery)
  const retry = (query: { refetch: () => unknown }) => () => void query.refetch()
  const { data: providers } = useQuery(providersQuery)
  // One answer fills both cards: when it fails, it is said once.
  const isBroken = lines.error !== null && !lines.data
  const isUnused = lines.data?.use.length === 0 && lines.data.channels.length === 0 && report.data?.calls === 0
  return (
    <>
      <PageHead title="Lines" purpose="Live and recent calls through your own telephone switch or SIP trunk." />
      {isUnused ? (
        <EmptyState
          icon={IconLines}
          title="No calls yet"
          why="Calls appear here once faxes go through your own SIP trunk, Asterisk or FreeSWITCH. Cloud providers don’t report their calls."
        />
      ) : (
        <CardGrid>
          <Card title="Calls now" width={isBroken ? 'full' : 'half'}>
            {lines.error && <ErrorNotice error={lines.error} busy={lines.isFetching} onRetry={retry(lines)} />}
            {!lines.data && !lines.error && <Skeleton lines={3} height={1.5} />}
            {lines.data && <Channels channels={lines.data.channels} providers={providers} />}
          </Card>
          {!isBroken && (
            <Card title="Line usage" width="half">
              {lines.data ? (
                <LineUse use={lines.data.use} providers={providers} />
              ) : (
                <Skeleton lines={3} height={1.5} />
              )}
            </Card>
          )}
          <Card title="Recent calls by number" width="full">
            {report.error && <ErrorNotice error={report.error} busy={report.isFetching} onRetry={retry(report)} />}
            {!report.data && !report.error && <Skeleton lines={4} height={1.5} />}
            {report.data && <CallReportTable report={report.data} />}
          </Card>
          <Card title="Remembered numbers" width="full">
            <RememberedNumbers providers={providers} />
          </Card>
        </CardGrid>
      )}
    </>
  )
}

type Use = Lines['use'][number]

const calls = (count: number) => (count === 1 ? '1 call' : `${grouped(count)} calls`)

/** How busy the lines of each provider were in the last four weeks, and how many would be enough. */
function LineUse({ use, providers }: { use: readonly Use[]; providers: Providers | undefined }) {
  if (use.length === 0) return <p className="muted">No calls in the last four weeks.</p>
  return use.map((of) => (
    <section key={of.backend} className={styles.use} aria-label={providerName(of.backend, providers)}>
      <h3>{providerName(of.backend, providers)}</h3>
      <dl>
        <div>
          <dt>Last 4 weeks</dt>
          <dd>{calls(of.calls)}</dd>
        </div>
        <div>
          <dt>Peak concurrent calls</dt>
          <dd>
            {of.peak}{' '}
            <span className="muted">
              (<Time at={of.peak_at} />)
            </span>
          </dd>
        </div>
        <div>
          <dt>Outbound call limit</dt>
          <dd>{calls(of.allowed)}</dd>
        </div>
        <div>
          <dt>Lines needed</dt>
          <dd>{of.enough ?? 'Not enough data yet'}</dd>
        </div>
      </dl>
      <p className="quiet">{of.basis}</p>
    </section>
  ))
}
