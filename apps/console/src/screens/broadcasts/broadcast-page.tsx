import type { BroadcastDetail } from '@faxdeck/contract'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useSession } from '../../session/session.ts'
import { Button } from '../../ui/control/button.tsx'
import { IconChevronLeft, IconDownload } from '../../ui/control/icons.ts'
import { doubtsIn, UnlikelyQuestion } from '../../ui/fax/unlikely-question.tsx'
import { PageHead } from '../../ui/layout/page-head.tsx'
import { ShowAll } from '../../ui/layout/show-all.tsx'
import { ErrorNotice, Skeleton } from '../../ui/layout/states.tsx'
import { Confirm } from '../../ui/overlay/dialog.tsx'
import { useToast } from '../../ui/overlay/toast.tsx'
import { shortTime } from '../../ui/time.tsx'
import { countFaxes, countPages, grouped } from '../../ui/words/figures.ts'
import { BroadcastRecipients } from './broadcast-recipients.tsx'
import { OutcomeBar, OutcomeCounts, StateChip } from './broadcast-state.tsx'
import { leftOutSentence, type OutcomeKind, outcomeSentence } from './broadcast-words.ts'
import styles from './broadcasts.module.css'
import { broadcastQuery, type ResendBroadcast, useBroadcastActions } from './queries.ts'

/** Rows of the list that got no fax, and why. */
function LeftOut({ broadcast }: { broadcast: BroadcastDetail }) {
  const sentence = leftOutSentence(broadcast)
  if (!sentence) return null
  const rows = broadcast.skipped_rows
  return (
    <section className={styles.card} aria-labelledby="left-out">
      <h2 id="left-out">Left out</h2>
      <p>{sentence}</p>
      {rows.length > 0 && (
        <ShowAll items={rows} first={5} what="rows">
          {(shown) => (
            <ul className={styles.rows}>
              {shown.map(({ row, text, reason }) => (
                <li key={`${row} ${text}`}>
                  <span className={styles.row}>Row {grouped(row)}</span>
                  <span className={styles.text}>{text || 'empty'}</span>
                  <span>{reason}</span>
                </li>
              ))}
            </ul>
          )}
        </ShowAll>
      )}
    </section>
  )
}

function CancelQuestion({ count, onConfirm, onClose }: { count: number; onConfirm: () => void; onClose: () => void }) {
  return (
    <Confirm
      title="Cancel the rest of this broadcast?"
      verb="Cancel the rest"
      danger
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <p>
        Up to {countFaxes(count)} still waiting will not be sent. Attempts in progress are allowed to finish. This can’t
        be undone.
      </p>
    </Confirm>
  )
}

const countFailed = (count: number) => `${grouped(count)} failed ${count === 1 ? 'fax' : 'faxes'}`

/** What can be done with a broadcast now, and where else to look. */
function Actions({ broadcast, children }: { broadcast: BroadcastDetail; children: ReactNode }) {
  const { go } = useSession()
  const say = useToast()
  const [question, ask] = useState<'cancel' | 'force'>()
  const [choice, choose] = useState<ResendBroadcast>({})
  const { id, state, counts, resendable, number_failed: wrong } = broadcast
  const { pause, resume, cancel, resend, save } = useBroadcastActions(id, (made) => {
    say(`${countFaxes(made.faxes)} accepted`)
    go('broadcasts', { open: made.id })
  })
  const left = counts.queued + counts.in_progress
  const doubts = doubtsIn(resend.error)
  const sendAgain = (next: ResendBroadcast) => {
    ask(undefined)
    choose(next)
    resend.run(next)
  }
  const again = { ...resend, run: () => resend.run(choice) }
  const failedAction = [pause, resume, cancel, ...(doubts.length > 0 ? [] : [again]), save].find(({ error }) => error)
  return (
    <>
      <div className={styles.actions}>
        {state === 'sending' && <Button action={pause}>Pause</Button>}
        {state === 'paused' && (
          <Button tone="primary" action={resume}>
            Resume
          </Button>
        )}
        {(state === 'sending' || state === 'paused') && (
          <Button busy={cancel.busy} onClick={() => ask('cancel')}>
            Cancel the rest
          </Button>
        )}
        {resendable > 0 && (
          <Button busy={resend.busy} onClick={() => sendAgain({})}>
            {`Send ${countFailed(resendable)} again`}
          </Button>
        )}
        {wrong > 0 && (
          <Button busy={resend.busy} onClick={() => ask('force')}>
            {`Send ${resendable > 0 ? 'all ' : ''}${countFailed(resendable + wrong)} again…`}
          </Button>
        )}
        <Button icon={IconDownload} action={save}>
          Export CSV
        </Button>
        {children}
      </div>
      {failedAction?.error && (
        <ErrorNotice error={failedAction.error} busy={failedAction.busy} onRetry={() => failedAction.run(undefined)} />
      )}
      <UnlikelyQuestion
        doubts={doubts}
        action={{ busy: resend.busy }}
        onConfirm={() => sendAgain({ ...choice, allow_unlikely_number: true })}
        onClose={resend.reset}
      />
      {question === 'force' && (
        <Confirm
          title={wrong === 1 ? 'Call a wrong number again?' : `Call ${grouped(wrong)} wrong numbers again?`}
          verb="Send again"
          onConfirm={() => sendAgain({ force: true })}
          onClose={() => ask(undefined)}
        >
          <p>
            {wrong === 1 ? 'One number is' : `${grouped(wrong)} numbers are`} not in service, or a person answered
            there. Ask the recipients for their fax numbers and send a new broadcast to those instead.
          </p>
        </Confirm>
      )}
      {question === 'cancel' && (
        <CancelQuestion
          count={left}
          onClose={() => ask(undefined)}
          onConfirm={() => {
            ask(undefined)
            cancel.run(undefined)
          }}
        />
      )}
    </>
  )
}

function Body({ broadcast }: { broadcast: BroadcastDetail }) {
  const { go } = useSession()
  const { id, parent_id: parent } = broadcast
  const [only, setOnly] = useState<OutcomeKind>()
  const fields = { broadcast: id, ...(only && { outcome: only.key }) }
  const showJobs = () => go('jobs', { open: `list?${new URLSearchParams(fields).toString()}` })
  return (
    <>
      <section className={styles.card} aria-label="Progress">
        <p className={styles.outcome}>
          <StateChip broadcast={broadcast} />
          <strong role="status">{outcomeSentence(broadcast)}</strong>
        </p>
        <OutcomeBar broadcast={broadcast} />
        <OutcomeCounts broadcast={broadcast} chosen={only} onChoose={setOnly} />
        <Actions broadcast={broadcast}>
          <Button onClick={showJobs}>Show in Jobs</Button>
          {parent && <Button onClick={() => go('broadcasts', { open: parent })}>Earlier broadcast</Button>}
        </Actions>
      </section>
      <BroadcastRecipients broadcast={broadcast} only={only} onAll={() => setOnly(undefined)} />
      <LeftOut broadcast={broadcast} />
    </>
  )
}

/** What was sent, to how many, and when. */
function purposeOf({ id, pages, faxes, created_at: at }: BroadcastDetail): string {
  const numbers = faxes === 1 ? '1 number' : `${grouped(faxes)} numbers`
  return `Broadcast ${id.slice(0, 8)} · ${countPages(pages)} to ${numbers} · ${shortTime(at)}`
}

/** One broadcast: how far it is, what became of its faxes, and what can be done. */
export function BroadcastPage({ id }: { id: string }) {
  const { go } = useSession()
  const { data, error, isFetching, refetch } = useQuery(broadcastQuery(id))
  const back = (
    <Button icon={IconChevronLeft} onClick={() => go('broadcasts')}>
      All broadcasts
    </Button>
  )
  return (
    <>
      <PageHead
        title={data?.file_name ?? 'Broadcast'}
        purpose={data ? purposeOf(data) : `Broadcast ${id.slice(0, 8)}`}
        actions={back}
      />
      <div className={styles.page}>
        {error && <ErrorNotice error={error} busy={isFetching} onRetry={() => void refetch()} />}
        {!data && !error && <Skeleton lines={6} height={2} />}
        {data && <Body broadcast={data} />}
      </div>
    </>
  )
}
