import type { PendingFax } from '@faxdeck/contract'
import { losesWriting } from '@faxdeck/contract/page-notes'
import { formatNumber } from '@faxdeck/contract/phone'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useAction } from '../../api/use-action.ts'
import { useSession } from '../../session/session.ts'
import { Button } from '../../ui/control/button.tsx'
import { Chip } from '../../ui/control/status-chip.tsx'
import { PageNotes } from '../../ui/fax/page-notes.tsx'
import { PageStrip } from '../../ui/fax/page-strip.tsx'
import { Panel } from '../../ui/layout/card.tsx'
import { ErrorNotice, Skeleton } from '../../ui/layout/states.tsx'
import { Time } from '../../ui/time.tsx'
import { countPages } from '../../ui/words/figures.ts'
import { askerOf } from './approval-words.ts'
import styles from './approvals.module.css'
import mcp from './mcp.module.css'
import { approvalsQuery, approve, loadApprovalPage, refuse, staleAfterDeciding } from './queries.ts'

/** Those that wait and those that were decided here, which keep their places: nothing else may slip under the pointer. */
function withDecided(waiting: readonly PendingFax[] = [], decided: readonly PendingFax[]): PendingFax[] {
  const others = waiting.filter(({ id }) => !decided.some((each) => each.id === id))
  return [...others, ...decided].sort((a, b) => a.created_at.localeCompare(b.created_at) || a.id.localeCompare(b.id))
}

/** The faxes that assistants ask for, oldest first, each to be approved or refused with one press. */
export function Approvals({ required }: { required: boolean }) {
  const { data: waiting, error, isFetching, refetch } = useQuery(approvalsQuery)
  const [decided, setDecided] = useState<PendingFax[]>([])
  const shown = withDecided(waiting, decided)
  if (!required && !error && shown.length === 0) return null
  return (
    <Panel aria-labelledby="mcp-approvals">
      <h2 id="mcp-approvals">Waiting for approval</h2>
      {error && <ErrorNotice error={error} busy={isFetching} onRetry={() => void refetch()} />}
      {!waiting && !error && <Skeleton lines={2} height={4} />}
      {waiting && shown.length === 0 && (
        <p className={mcp.quiet}>
          Nothing is waiting. Faxes that assistants want to send appear here for you to approve or refuse.
        </p>
      )}
      {shown.length > 0 && (
        <>
          <p className={mcp.quiet}>
            Nothing is sent until you approve it. An approved fax is sent once. A refused fax is deleted, and the
            assistant is notified.
          </p>
          <ul className={styles.list}>
            {shown.map((fax) => (
              <RequestedFax key={fax.id} fax={fax} onDecided={(now) => setDecided((before) => [...before, now])} />
            ))}
          </ul>
        </>
      )}
    </Panel>
  )
}

interface RequestProps {
  fax: PendingFax
  onDecided: (fax: PendingFax) => void
}

function RequestedFax({ fax, onDecided }: RequestProps) {
  const { id, pages } = fax
  const to = formatNumber(fax.to)
  const load = useMemo(() => loadApprovalPage(id), [id])
  return (
    <li className={styles.fax} aria-label={`Fax to ${to}`}>
      <div className={styles.head}>
        <strong className={styles.number}>{to}</strong>
        {fax.faxed_before === 0 && <Chip tone="warn">First fax to this number</Chip>}
      </div>
      <Facts fax={fax} />
      <PageNotes notes={fax.page_notes} />
      <PageStrip pages={pages} load={load} />
      {fax.state === 'waiting' ? <Choices fax={fax} onDecided={onDecided} /> : <Outcome fax={fax} />}
    </li>
  )
}

function Choices({ fax, onDecided }: RequestProps) {
  const { id, page_notes: notes } = fax
  // The person who approves has seen what is lost: it is not refused afterwards.
  const isLossy = notes.some(losesWriting)
  const to = formatNumber(fax.to)
  const settled = { onDone: onDecided, refreshes: staleAfterDeciding }
  const approving = useAction(approve, settled)
  const refusing = useAction(refuse, settled)
  const error = approving.error ?? refusing.error
  return (
    <>
      {error && <ErrorNotice error={error} />}
      <div className={styles.choices}>
        <Button
          tone="primary"
          busy={approving.busy}
          disabled={refusing.busy}
          aria-label={`Approve and send the fax to ${to}${isLossy ? ' with unreadable parts' : ''}`}
          onClick={() => approving.run(isLossy ? { id, unreadable: 'send' } : { id })}
        >
          {isLossy ? 'Approve with unreadable parts' : 'Approve and send'}
        </Button>
        <Button
          busy={refusing.busy}
          disabled={approving.busy}
          aria-label={`Refuse the fax to ${to}`}
          onClick={() => refusing.run(id)}
        >
          Refuse
        </Button>
      </div>
    </>
  )
}

/** Stands where the buttons were, and takes the focus that was on them. */
function Outcome({ fax: { state, job_id: job } }: { fax: PendingFax }) {
  const { canGo, go } = useSession()
  const words = useRef<HTMLParagraphElement>(null)
  useEffect(() => words.current?.focus(), [])
  const approved = state === 'approved'
  return (
    <div className={styles.choices}>
      <p ref={words} tabIndex={-1} className={styles.outcome}>
        {approved ? <Chip tone="ok">Approved</Chip> : <Chip tone="plain">Refused</Chip>}
        {approved ? 'The fax is being sent.' : 'Nothing was sent. The assistant can submit it again.'}
      </p>
      {job !== null && canGo('jobs') && <Button onClick={() => go('jobs', { open: job })}>Show the fax</Button>}
    </div>
  )
}

function Facts({ fax }: { fax: PendingFax }) {
  const { pages, file_name: name, created_at: at, expires_at: until } = fax
  return (
    <p className={styles.facts}>
      <span>
        {countPages(pages)}
        {name && (
          <>
            {' of '}
            <b>{name}</b>
          </>
        )}
      </span>
      <span>
        requested by <b>{askerOf(fax)}</b> <Time at={at} />
      </span>
      <span>
        expires <Time at={until} />
      </span>
    </p>
  )
}
