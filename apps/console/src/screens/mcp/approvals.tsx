import type { PendingFax } from '@faxdeck/contract'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useRef } from 'react'
import { useAction } from '../../api/use-action.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorNotice } from '../../ui/error-notice.tsx'
import { PageStrip } from '../../ui/page-strip.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Chip } from '../../ui/status-chip.tsx'
import { Time } from '../../ui/time.tsx'
import { useToast } from '../../ui/toast.tsx'
import styles from './approvals.module.css'
import panel from './mcp.module.css'
import { approvalsQuery, approve, loadApprovalPage, refuse, staleAfterDeciding } from './queries.ts'

/** The faxes that assistants ask for, oldest first, each to be approved or refused with one press. */
export function Approvals({ required }: { required: boolean }) {
  const { data: waiting, error, isFetching, refetch } = useQuery(approvalsQuery)
  const heading = useRef<HTMLHeadingElement>(null)
  if (!required && !error && !waiting?.length) return null
  return (
    <section className={panel.panel} aria-labelledby="mcp-approvals">
      <h2 id="mcp-approvals" ref={heading} tabIndex={-1}>
        Waiting for approval
      </h2>
      {error && <ErrorNotice error={error} busy={isFetching} onRetry={() => void refetch()} />}
      {!waiting && !error && <Skeleton lines={2} height={4} />}
      {waiting?.length === 0 && (
        <p className={panel.quiet}>Nothing waits. What an assistant sends stands here until you approve it.</p>
      )}
      {waiting && waiting.length > 0 && (
        <>
          <p className={panel.quiet}>
            Nothing of this was sent yet. What you approve goes out once; what you refuse is deleted, and the assistant
            is told so.
          </p>
          <ul className={styles.list}>
            {waiting.map((fax) => (
              <WaitingFax key={fax.id} fax={fax} onDecided={() => heading.current?.focus()} />
            ))}
          </ul>
        </>
      )}
    </section>
  )
}

const pagesInWords = (pages: number) => (pages === 1 ? '1 page' : `${pages} pages`)
const askerOf = ({ asked_by: key, asked_by_name: name }: PendingFax) =>
  name ?? (key === 'bootstrap' ? 'the bootstrap key' : key)

function WaitingFax({ fax, onDecided }: { fax: PendingFax; onDecided: () => void }) {
  const { id, to, pages } = fax
  const say = useToast()
  const load = useMemo(() => loadApprovalPage(id), [id])
  const done = (words: string) => () => {
    say(words)
    onDecided()
  }
  const approving = useAction(approve, {
    refreshes: staleAfterDeciding,
    onDone: done('Approved. The fax is on its way.'),
  })
  const refusing = useAction(refuse, { refreshes: staleAfterDeciding, onDone: done('Refused. Nothing was sent.') })
  const error = approving.error ?? refusing.error
  return (
    <li className={styles.fax} aria-label={`Fax to ${to}`}>
      <div className={styles.head}>
        <strong className={styles.number}>{to}</strong>
        {fax.faxed_before === 0 && <Chip tone="warn">First fax to this number</Chip>}
      </div>
      <Facts fax={fax} />
      <PageStrip pages={pages} load={load} />
      {error && <ErrorNotice error={error} />}
      <div className={styles.choices}>
        <Button
          tone="primary"
          busy={approving.busy}
          disabled={refusing.busy}
          aria-label={`Approve and send the fax to ${to}`}
          onClick={() => approving.run(id)}
        >
          Approve and send
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
    </li>
  )
}

function Facts({ fax }: { fax: PendingFax }) {
  const { pages, file_name: name, created_at: at, expires_at: until } = fax
  return (
    <p className={styles.facts}>
      <span>
        {pagesInWords(pages)}
        {name && (
          <>
            {' of '}
            <b>{name}</b>
          </>
        )}
      </span>
      <span>
        asked for by <b>{askerOf(fax)}</b> <Time at={at} />
      </span>
      <span>
        expires <Time at={until} />
      </span>
    </p>
  )
}
