import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { databaseQuery, providerName, providersQuery } from '../../api/overview.ts'
import { ConfirmAction } from '../../session/confirm-action.tsx'
import { useSession } from '../../session/session.ts'
import { Button } from '../../ui/control/button.tsx'
import { IconDiagnostics } from '../../ui/control/icons.ts'
import form from '../../ui/form/fields.module.css'
import { Panel } from '../../ui/layout/card.tsx'
import { PlainCode } from '../../ui/layout/code-block.tsx'
import { PageHead } from '../../ui/layout/page-head.tsx'
import { EmptyState, ErrorNotice, Skeleton } from '../../ui/layout/states.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { wordsFor } from '../../ui/words/check-words.ts'
import { CheckGroups } from './check-groups.tsx'
import styles from './diagnostics.module.css'
import { groupsOf } from './groups.ts'
import { ProviderTraits } from './provider-traits.tsx'
import { anchorsQuery, diagnosticsQuery, restart } from './queries.ts'
import { Summary } from './summary.tsx'
import { TestFaxes } from './test-faxes.tsx'

export function DiagnosticsScreen() {
  const { config, visit, go } = useSession()
  const [opened, setOpened] = useState<'help' | 'restart'>()
  const { data, error, isFetching, refetch } = useQuery({ ...diagnosticsQuery, enabled: config.demo === true })
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

const topics = ['diagnostics', 'setup', 'security', 'inbound', 'storage']

/** What the checks mean, and where the documentation says more. */
function HelpDialog({ onClose }: { onClose: () => void }) {
  const { config } = useSession()
  const base = config.branding.docs_base.replace(/\/$/, '')
  const { data: anchors = {} } = useQuery(anchorsQuery(base))
  const guides = Object.fromEntries(topics.map((topic) => [topic, `${base}/${topic}/`]))
  return (
    <Dialog title="About diagnostics" reads onClose={onClose} footer={<Button onClick={onClose}>Close</Button>}>
      <div className={form.form}>
        <p>
          A run checks everything the gateway depends on with real calls. It signs in to the provider, writes and
          removes a document, and calls the public address. It sends no fax and changes no setting.
        </p>
        <p>
          An error means that faxes can’t be sent, received or stored, or that stored data was lost or changed. A
          warning is less urgent, but should be fixed. Each finding says what to do and links to its setting.
        </p>
        <p>The built-in tests send a document like any other fax. When the test line is off, they make real calls.</p>
        <ul className={styles.links} aria-label="Documentation">
          {Object.entries({ ...guides, ...anchors }).map(([topic, address]) => (
            <li key={topic}>
              <a href={address} target="_blank" rel="noreferrer">
                {wordsFor(topic.replace(/^diagnostics-/, '').replaceAll('-', '_'))}
              </a>
            </li>
          ))}
        </ul>
      </div>
    </Dialog>
  )
}

/** The database as the gateway describes it. */
function DatabaseStatus() {
  const [asked, setAsked] = useState(false)
  const { data, error, isFetching, refetch } = useQuery({ ...databaseQuery, enabled: asked })
  const ask = () => (asked ? void refetch({ cancelRefetch: false }) : setAsked(true))
  return (
    <Panel aria-label="Database status">
      <h2>Database status</h2>
      <div className={styles.row}>
        <Button busy={isFetching} onClick={ask}>
          Check DB Status
        </Button>
      </div>
      {error && <ErrorNotice error={error} />}
      {data && !error && <PlainCode aria-label="Database status as JSON">{JSON.stringify(data, null, 2)}</PlainCode>}
    </Panel>
  )
}

function RestartDialog({ onClose }: { onClose: () => void }) {
  return (
    <ConfirmAction
      title="Restart the gateway?"
      verb="Restart"
      danger
      perform={restart}
      input={undefined}
      toast="Restarting"
      onClose={onClose}
    >
      <p>
        Work in progress is finished or returned to the queue first, so no fax is lost. The console will be unavailable
        for a few seconds.
      </p>
    </ConfirmAction>
  )
}
