import type { BroadcastDetail } from '@faxdeck/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSession } from '../../shell/session.ts'
import { Button } from '../../ui/control/button.tsx'
import { IconChevronLeft, IconDownload } from '../../ui/control/icons.ts'
import { Chip } from '../../ui/fax/status-chip.tsx'
import { ErrorNotice } from '../../ui/layout/error-notice.tsx'
import { PageHead } from '../../ui/layout/page-head.tsx'
import { ShowAll } from '../../ui/layout/show-all.tsx'
import { Skeleton } from '../../ui/layout/skeleton.tsx'
import { Confirm } from '../../ui/overlay/confirm.tsx'
import { useToast } from '../../ui/overlay/toast.tsx'
import { Time } from '../../ui/time.tsx'
import { grouped } from '../../ui/words/grouped.ts'
import { leftOutSentence, outcomeSentence, stateWord } from './broadcast-words.ts'
import styles from './broadcasts.module.css'
import { OutcomeBar, OutcomeCounts } from './outcome-bar.tsx'
import { broadcastQuery, useBroadcastActions } from './queries.ts'

const pages = (count: number) => (count === 1 ? '1 page' : `${grouped(count)} pages`)

function Skipped({ rows }: { rows: BroadcastDetail['skipped_rows'] }) {
  if (rows.length === 0) return null
  return (
    <section className={styles.card} aria-label="Skipped rows">
      <h2>Skipped rows</h2>
      <ShowAll items={rows} first={5} what="rows">
        {(shown) => (
          <ul>
            {shown.map(({ row, text, reason }) => (
              <li key={`${row} ${text}`}>
                Row {grouped(row)}: {text || 'empty'}. {reason}
              </li>
            ))}
          </ul>
        )}
      </ShowAll>
    </section>
  )
}

function CancelQuestion({ count, onConfirm, onClose }: { count: number; onConfirm: () => void; onClose: () => void }) {
  const faxes = count === 1 ? '1 fax' : `${grouped(count)} faxes`
  return (
    <Confirm
      title="Cancel the rest of this broadcast?"
      verb="Cancel the rest"
      danger
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <p>
        Up to {faxes} that have not gone out will not be sent. Attempts under way are allowed to finish. This can’t be
        undone.
      </p>
    </Confirm>
  )
}

/** What can be done with a broadcast now. */
function Actions({ broadcast }: { broadcast: BroadcastDetail }) {
  const { go } = useSession()
  const say = useToast()
  const [cancelling, setCancelling] = useState(false)
  const { id, state, counts, resendable } = broadcast
  const { pause, resume, cancel, resend, save } = useBroadcastActions(id, (made) => {
    say(`${grouped(made.faxes)} ${made.faxes === 1 ? 'fax' : 'faxes'} accepted`)
    go('broadcasts', { open: made.id })
  })
  const left = counts.queued + counts.in_progress
  const trouble = [pause, resume, cancel, resend, save].find(({ error }) => error)
  return (
    <>
      <div className={styles.actions}>
        {state === 'sending' && (
          <Button busy={pause.busy} onClick={() => pause.run(undefined)}>
            Pause
          </Button>
        )}
        {state === 'paused' && (
          <Button tone="primary" busy={resume.busy} onClick={() => resume.run(undefined)}>
            Resume
          </Button>
        )}
        {(state === 'sending' || state === 'paused') && (
          <Button busy={cancel.busy} onClick={() => setCancelling(true)}>
            Cancel the rest
          </Button>
        )}
        {resendable > 0 && (
          <Button busy={resend.busy} onClick={() => resend.run(undefined)}>
            Send {grouped(resendable)} failed again
          </Button>
        )}
        <Button busy={save.busy} onClick={() => save.run(undefined)}>
          <IconDownload size="1rem" aria-hidden="true" />
          Export CSV
        </Button>
      </div>
      {trouble?.error && (
        <ErrorNotice error={trouble.error} busy={trouble.busy} onRetry={() => trouble.run(undefined)} />
      )}
      {cancelling && (
        <CancelQuestion
          count={left}
          onClose={() => setCancelling(false)}
          onConfirm={() => {
            setCancelling(false)
            cancel.run(undefined)
          }}
        />
      )}
    </>
  )
}

const tones = { sending: 'info', paused: 'warn', cancelling: 'warn', finished: 'plain' } as const

function Body({ broadcast }: { broadcast: BroadcastDetail }) {
  const { go } = useSession()
  const { id, state, parent_id: parent, created_at, file_name, pages: count } = broadcast
  const leftOut = leftOutSentence(broadcast)
  const showJobs = (list: string) =>
    go('jobs', { open: `list?${new URLSearchParams({ broadcast: id, status: list }).toString()}` })
  return (
    <>
      <section className={styles.card} aria-label="Progress">
        <p className={styles.outcome}>
          <Chip tone={tones[state]} title={state}>
            {stateWord(broadcast)}
          </Chip>
          <strong role="status">{outcomeSentence(broadcast)}</strong>
        </p>
        <OutcomeBar broadcast={broadcast} />
        <OutcomeCounts broadcast={broadcast} onOpen={({ list }) => showJobs(list)} />
        <Actions broadcast={broadcast} />
      </section>
      <section className={styles.card} aria-label="About">
        <p>
          {file_name ?? 'Document'}, {pages(count)}. Created <Time at={created_at} />. {leftOut}
        </p>
        <p className={styles.links}>
          <Button tone="quiet" onClick={() => showJobs('')}>
            Show all {grouped(broadcast.faxes)} in Jobs
          </Button>
          {parent && (
            <Button tone="quiet" onClick={() => go('broadcasts', { open: parent })}>
              Earlier broadcast
            </Button>
          )}
        </p>
      </section>
      <Skipped rows={broadcast.skipped_rows} />
    </>
  )
}

/** One broadcast: how far it is, what became of its faxes, and what can be done. */
export function BroadcastPage({ id }: { id: string }) {
  const { go } = useSession()
  const { data, error, isFetching, refetch } = useQuery(broadcastQuery(id))
  const back = (
    <Button onClick={() => go('broadcasts')}>
      <IconChevronLeft size="1rem" aria-hidden="true" />
      All broadcasts
    </Button>
  )
  return (
    <>
      <PageHead title={`Broadcast ${id.slice(0, 8)}`} purpose="One document to many numbers." actions={back} />
      <div className={styles.page}>
        {error && <ErrorNotice error={error} busy={isFetching} onRetry={() => void refetch()} />}
        {!data && !error && <Skeleton lines={6} height={2} />}
        {data && <Body broadcast={data} />}
      </div>
    </>
  )
}
