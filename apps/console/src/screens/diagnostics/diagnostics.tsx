import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { providerName, providersQuery } from '../../api/providers.ts'
import { useSession } from '../../session/session.ts'
import { Button } from '../../ui/control/button.tsx'
import { EmptyState } from '../../ui/layout/empty-state.tsx'
import { ErrorNotice } from '../../ui/layout/error-notice.tsx'
import { IconDiagnostics } from '../../ui/control/icons.ts'
import { PageHead } from '../../ui/layout/page-head.tsx'
import { Skeleton } from '../../ui/layout/skeleton.tsx'
import { CheckGroups } from './check-groups.tsx'
import { DatabaseStatus } from './database-status.tsx'
import styles from './diagnostics.module.css'
import { groupsOf } from './groups.ts'
import { HelpDialog } from './help-dialog.tsx'
import { ProviderTraits } from './provider-traits.tsx'
import { diagnosticsQuery } from './queries.ts'
import { RestartDialog } from './restart-dialog.tsx'
import { Summary } from './summary.tsx'
import { TestFaxes } from './test-faxes.tsx'

export function DiagnosticsScreen() {
  const { config, visit, go } = useSession()
  const [opened, setOpened] = useState<'help' | 'restart'>()
  const { data, error, isFetching, refetch } = useQuery(diagnosticsQuery)
  const { data: providers } = useQuery(providersQuery)
  const run = () => void refetch({ cancelRefetch: false })
  // Who asked for it from elsewhere is not asked again by a reload.
  const isAsked = visit.open === 'run'
  const runAsked = useEffectEvent(() => {
    run()
    go('tools/diagnostics', { replace: true })
  })
  useEffect(() => {
    if (isAsked) runAsked()
  }, [isAsked])
  const close = () => setOpened(undefined)
  const actions = (
    <>
      <Button onClick={() => setOpened('help')}>Help</Button>
      {config.allow_restart && <Button onClick={() => setOpened('restart')}>Restart API</Button>}
      <Button tone="primary" busy={isFetching} onClick={run}>
        Run Diagnostics
      </Button>
    </>
  )
  return (
    <>
      <PageHead title="Diagnostics" purpose="What works, what doesn’t, and how to fix it." actions={actions} />
      <div className={styles.screen}>
        <div className={styles.column}>
          {error && <ErrorNotice error={error} busy={isFetching} onRetry={run} />}
          {!data && isFetching && <Skeleton lines={6} height={2.5} />}
          {!data && !isFetching && !error && <NotRun />}
          {data && <Summary result={data} backend={providerName(data.backend, providers)} />}
          {data && <CheckGroups key={data.timestamp} groups={groupsOf(data, providers)} />}
        </div>
        <div className={styles.column}>
          <TestFaxes />
          <ProviderTraits />
          <DatabaseStatus />
        </div>
      </div>
      {opened === 'help' && <HelpDialog onClose={close} />}
      {opened === 'restart' && <RestartDialog onClose={close} />}
    </>
  )
}

function NotRun() {
  return (
    <EmptyState
      icon={IconDiagnostics}
      title="Not run yet"
      why="Checks the provider, disk, database and public address. Takes up to 5 seconds. Sends no fax and changes no setting."
    />
  )
}
