import { useQuery } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { providerName, providersQuery } from '../../api/overview.ts'
import { useSession } from '../../session/session.ts'
import { PageHead } from '../../ui/layout/page-head.tsx'
import { Actions } from './actions.tsx'
import { CallbackInfo } from './callback-info.tsx'
import styles from './scripts.module.css'
import { SmokeCard } from './smoke-card.tsx'
import { authSmoke, inboundSmoke, sendSmoke, testNumber } from './smokes.ts'

type Runner = 'auth' | 'send' | 'inbound' | 'actions'

/** One thing runs at a time: who runs keeps the others from it. */
function useOneRunner() {
  const [running, setRunning] = useState<Runner>()
  const report = useCallback(
    (runner: Runner) => (busy: boolean) =>
      setRunning((present) => (busy ? runner : present === runner ? undefined : present)),
    [],
  )
  const [listeners] = useState(() => ({
    auth: report('auth'),
    send: report('send'),
    inbound: report('inbound'),
    actions: report('actions'),
  }))
  return (runner: Runner) => ({
    blocked: running !== undefined && running !== runner,
    onRunning: listeners[runner],
  })
}

/** End-to-end tests, and commands that inspect the gateway’s machine. */
export function ScriptsScreen() {
  const { config } = useSession()
  const { data: providers } = useQuery(providersQuery)
  const runner = useOneRunner()
  const way = config.demo
    ? 'which does not leave this page'
    : config.test_line
      ? 'on the test line, so nothing leaves this machine'
      : config.test_account === null
        ? `a real call through ${providerName(config.backend, providers)}`
        : `through ${config.test_account}, whose account is in test mode`
  return (
    <>
      <PageHead title="Scripts & Tests" purpose="End-to-end tests and commands that inspect the gateway’s machine." />
      <div className={styles.screen}>
        <div className={styles.column}>
          <SmokeCard
            title="Authentication smoke test"
            about={`Creates a temporary key for sending and reading, sends a fax to ${testNumber} with it (${way}), checks that a wrong key is refused, and deletes the key.`}
            failure={{ refused: 'Auth smoke failed', unfit: 'Auth smoke failed' }}
            smoke={authSmoke}
            {...runner('auth')}
          />
          <SmokeCard
            title="Send test"
            about={`Sends two lines of text to ${testNumber} (${way}) and waits for the outcome.`}
            failure={{ refused: 'Test fax failed to start', unfit: 'Send test failed' }}
            smoke={sendSmoke}
            {...runner('send')}
          />
          <SmokeCard
            title="Inbound simulation test"
            about="Simulates an incoming fax end to end, marked as a test, and downloads its document."
            failure={{ refused: 'Inbound simulation failed', unfit: 'Inbound simulation failed' }}
            smoke={inboundSmoke}
            {...runner('inbound')}
          />
        </div>
        <div className={styles.column}>
          <Actions {...runner('actions')} />
          <CallbackInfo />
        </div>
      </div>
    </>
  )
}
