import { useQuery } from '@tanstack/react-query'
import { useAction } from '../../../api/use-action.ts'
import { useSession } from '../../../session/session.ts'
import { Button } from '../../../ui/control/button.tsx'
import { ErrorNotice } from '../../../ui/layout/error-notice.tsx'
import { IconCheck } from '../../../ui/control/icons.ts'
import { Note } from '../../../ui/layout/note.tsx'
import { Chip } from '../../../ui/control/status-chip.tsx'
import { maxTries, startWaiting, waitingQuery } from '../queries.ts'
import styles from '../setup.module.css'
import type { StepProps } from '../steps/step-props.ts'

/** Waits for a fax that somebody sends now, and says when it has arrived. */
export function VerifyInbound({ draft, change }: Pick<StepProps, 'draft' | 'change'>) {
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
          <Button busy={start.busy} onClick={() => start.run(undefined)}>
            Start Verify Inbound
          </Button>
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
