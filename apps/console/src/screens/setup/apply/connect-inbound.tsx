import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useAction } from '../../../api/use-action.ts'
import { useSession } from '../../../session/session.ts'
import { Button } from '../../../ui/control/button.tsx'
import { IconCheck } from '../../../ui/control/icons.ts'
import { Chip } from '../../../ui/control/status-chip.tsx'
import { CallbackRow } from '../../../ui/fax/callback-row.tsx'
import { Panel } from '../../../ui/layout/card.tsx'
import { ErrorNotice, Note, Skeleton } from '../../../ui/layout/states.tsx'
import { type Plan, plannedValue, type ProviderEntry } from '../plan.ts'
import { callbacksQuery, maxTries, simulateInbound, startWaiting, waitingQuery } from '../queries.ts'
import styles from '../setup.module.css'
import type { StepProps } from '../step-props.ts'
import { CurlTests } from './curl-tests.tsx'
import { verificationHint } from './verification-hint.ts'

interface Props extends StepProps {
  provider: ProviderEntry
}

/** The way of received faxes: what to register, and three ways to see that it works. */
export function ConnectInbound({ plan, draft, change, provider }: Props) {
  const pending = Object.keys(plan.changes).length > 0
  return (
    <Panel aria-label="Connect inbound">
      <h3>Connect inbound</h3>
      <p className={styles.quiet}>{verificationHint(provider)}</p>
      {pending && (
        <Note>
          These settings take effect once you apply them. Apply them in the last step, then come back here to test.
        </Note>
      )}
      {provider.kind !== 'managed' && (
        <>
          <Addresses plan={plan} provider={provider} />
          <CurlTests plan={plan} provider={provider} />
        </>
      )}
      <Simulation provider={provider} />
      <VerifyInbound draft={draft} change={change} />
    </Panel>
  )
}

const unslashed = (url: string) => url.replace(/\/+$/, '')

/** An address as it will be under the public URL that is entered; the one in force may have a path of its own. */
function addressUnder(entered: string, url: string, present: string): string {
  if (!URL.canParse(url) || !URL.canParse(entered)) return url
  const { pathname } = new URL(url)
  const base = URL.canParse(present) ? unslashed(new URL(present).pathname) : ''
  return unslashed(entered) + (pathname.startsWith(`${base}/`) ? pathname.slice(base.length) : pathname)
}

function Addresses({ plan, provider }: { plan: Plan; provider: ProviderEntry }) {
  const { config } = useSession()
  const [shown, setShown] = useState(false)
  const { data, error, isFetching, refetch } = useQuery({ ...callbacksQuery(provider.id), enabled: shown })
  const publicUrl = String(plannedValue(plan, plan.changes, 'public_api_url') ?? '')
  return (
    <div className={styles.part}>
      <div className={styles.row}>
        <Button aria-expanded={shown} onClick={() => setShown(!shown)}>
          {shown ? 'Hide Callback URL' : 'Show Callback URL'}
        </Button>
        <p className={styles.quiet}>The address to register with {provider.name}.</p>
      </div>
      {shown && error && <ErrorNotice error={error} busy={isFetching} onRetry={() => void refetch()} />}
      {shown && !data && !error && <Skeleton height={2.5} />}
      {shown && data?.callbacks.length === 0 && (
        <p>{provider.name} has no address to register in this version of Faxdeck.</p>
      )}
      {shown && data && data.callbacks.length > 0 && (
        <ul className={styles.addresses}>
          {data.callbacks.map((callback) => (
            <CallbackRow
              key={callback.url}
              callback={{ ...callback, url: addressUnder(publicUrl, callback.url, config.public_api_url) }}
            />
          ))}
        </ul>
      )}
    </div>
  )
}

function Simulation({ provider }: { provider: ProviderEntry }) {
  const { go, canGo } = useSession()
  const [arrived, setArrived] = useState<string>()
  const simulate = useAction(simulateInbound, {
    onDone: ({ id }) => setArrived(id),
    refreshes: [['inbox', 'list'], ['health-status']],
  })
  return (
    <div className={styles.part}>
      <div className={styles.row}>
        <Button busy={simulate.busy} onClick={() => simulate.run(provider.id)}>
          Simulate Inbound
        </Button>
        <p className={styles.quiet}>Puts a simulated fax through the same steps as a real one. No call is made.</p>
      </div>
      {simulate.error && <ErrorNotice error={simulate.error} />}
      <div role="status">
        {arrived && !simulate.error && (
          <p className={styles.row}>
            A test fax has arrived.
            {canGo('inbound') && <Button onClick={() => go('inbound', { open: arrived })}>Open it in the inbox</Button>}
          </p>
        )}
      </div>
    </div>
  )
}

/** Waits for a fax that somebody sends now, and says when it has arrived. */
function VerifyInbound({ draft, change }: Pick<StepProps, 'draft' | 'change'>) {
  const { waitingSince: since } = draft
  const setSince = (waitingSince?: string) =>
    change(({ waitingSince: _, ...others }) => ({ ...others, ...(waitingSince && { waitingSince }) }))
  const start = useAction(startWaiting, { onDone: setSince })
  const { data } = useQuery({ ...waitingQuery(since ?? ''), enabled: since !== undefined })
  const tries = data?.tries ?? 0
  const isOver = data?.arrived !== undefined || tries >= maxTries
  const isWaiting = since !== undefined && !isOver
  return (
    <div className={styles.part}>
      <div className={styles.row}>
        {isWaiting ? (
          <Button onClick={() => setSince()}>Stop</Button>
        ) : (
          <Button action={start}>Start Verify Inbound</Button>
        )}
        <p className={styles.quiet} aria-live={isWaiting ? 'off' : 'polite'}>
          {isWaiting
            ? `Waiting for a fax. Send one to your number now. Check ${tries} of ${maxTries}.`
            : 'Waits up to one minute for a fax.'}
        </p>
      </div>
      {start.error && <ErrorNotice error={start.error} />}
      {isWaiting && data?.problem && <ErrorNotice error={data.problem} />}
      <div role="status">{since !== undefined && data?.arrived && <Arrived id={data.arrived.job_id} />}</div>
      {since !== undefined && isOver && !data?.arrived && <TimeIsUp problem={data?.problem} />}
    </div>
  )
}

function Arrived({ id }: { id: string | undefined }) {
  const { go, canGo } = useSession()
  return (
    <p className={styles.row}>
      <Chip tone="ok" icon={IconCheck}>
        Inbound verified (event received)
      </Chip>
      {id && canGo('inbound') && <Button onClick={() => go('inbound', { open: id })}>Open it in the inbox</Button>}
    </p>
  )
}

function TimeIsUp({ problem }: { problem: Parameters<typeof ErrorNotice>[0]['error'] | undefined }) {
  return (
    <div role="alert">
      {problem && <ErrorNotice error={problem} />}
      <Note tone="warn">
        No fax arrived in time. Check that receiving is on and applied, and that the callback URL is registered with the
        provider and reachable from the internet. Check also that the credentials match on both sides. The logs list
        refused callbacks. Then try again.
      </Note>
    </div>
  )
}
