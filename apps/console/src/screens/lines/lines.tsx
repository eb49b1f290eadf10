import { useQuery } from '@tanstack/react-query'
import { providersQuery } from '../../api/providers.ts'
import { Card, CardGrid } from '../../ui/layout/card.tsx'
import { EmptyState } from '../../ui/layout/empty-state.tsx'
import { ErrorNotice } from '../../ui/layout/error-notice.tsx'
import { IconLines } from '../../ui/control/icons.ts'
import { PageHead } from '../../ui/layout/page-head.tsx'
import { Skeleton } from '../../ui/layout/skeleton.tsx'
import { CallReportTable } from './call-report-table.tsx'
import { Channels } from './channels.tsx'
import { LineUse } from './line-use.tsx'
import { RememberedNumbers } from './remembered-numbers.tsx'
import { linesQuery, reportQuery } from './queries.ts'

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
