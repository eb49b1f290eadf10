import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { providerName, providersQuery } from '../../api/overview.ts'
import { sentFaxQuery } from '../../api/sent-fax.ts'
import { useAction } from '../../api/use-action.ts'
import { useSession } from '../../session/session.ts'
import { Button } from '../../ui/control/button.tsx'
import { FaxStatusChip } from '../../ui/control/status-chip.tsx'
import { ShortId } from '../../ui/fax/masked-number.tsx'
import { Panel } from '../../ui/layout/card.tsx'
import { ErrorNotice } from '../../ui/layout/states.tsx'
import styles from './diagnostics.module.css'
import { sendTest } from './queries.ts'
import { type TestKind, testKinds, testNumber, testWords } from './test-documents.ts'

interface Sent {
  id: string
  status: string
}

/** Three documents that take the way of every fax. */
export function TestFaxes() {
  const { config } = useSession()
  const { data: providers } = useQuery(providersQuery)
  const way = config.demo
    ? 'Nothing leaves this page.'
    : config.test_line
      ? 'Test line on: nothing leaves this machine.'
      : config.test_account === null
        ? `Each test is a real call through ${providerName(config.backend, providers)}.`
        : `This account is in test mode: ${config.test_account} sends no real fax.`
  return (
    <Panel aria-label="Built-in tests">
      <h2>Built-in tests</h2>
      <p className="quiet">
        To {testNumber}. {way}
      </p>
      {testKinds.map((kind) => (
        <Test key={kind} kind={kind} />
      ))}
    </Panel>
  )
}

function Test({ kind }: { kind: TestKind }) {
  const { button, what, failure } = testWords[kind]
  const [sent, setSent] = useState<Sent>()
  const send = useAction(sendTest, { onDone: setSent, refreshes: [['jobs', 'newest'], ['health-status']] })
  return (
    <div className={styles.test}>
      <div className={styles.row}>
        <Button busy={send.busy} onClick={() => send.run(kind)}>
          {button}
        </Button>
        {sent ? <JobChip key={sent.id} sent={sent} /> : <span className="quiet">{what}</span>}
      </div>
      {send.error && <ErrorNotice what={failure} error={send.error} />}
    </div>
  )
}

function JobChip({ sent }: { sent: Sent }) {
  const { go } = useSession()
  const { data } = useQuery(sentFaxQuery(sent.id))
  return (
    <button type="button" className={styles.job} onClick={() => go('jobs', { open: sent.id })}>
      <ShortId id={sent.id} />
      <span role="status">
        <FaxStatusChip fax={data ?? sent} />
      </span>
      {data?.error && <span className="quiet">{data.error}</span>}
    </button>
  )
}
