import type { BulkKind } from '@faxdeck/contract'
import type { CallProblem } from '@faxdeck/contract/client'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useAction } from '../../../api/use-action.ts'
import { Button } from '../../../ui/control/button.tsx'
import { ErrorNotice } from '../../../ui/layout/states.tsx'
import { Confirm } from '../../../ui/overlay/dialog.tsx'
import { countFaxes, grouped } from '../../../ui/words/figures.ts'
import { type BulkPlan, bulkQuery, bulkRefreshes, planBulk, startBulk, stopBulk } from './bulk-queries.ts'
import { bulkEffect, bulkKinds, bulkQuestions, bulkWords } from './bulk-words.ts'
import type { FilterFields } from './job-filter.ts'
import styles from './selection-bar.module.css'

interface Props {
  filter: FilterFields
  /** How many faxes match, in words. */
  total: string
  onClear: () => void
}

/** What can be done with all faxes that match, by the gateway, whether they are loaded here or not. */
export function BulkBar({ filter, total, onClear }: Props) {
  const [plan, setPlan] = useState<BulkPlan>()
  const [running, setRunning] = useState<string>()
  const [asked, setAsked] = useState<BulkKind>()
  const ask = useAction((action: BulkKind) => planBulk(action, filter), { onDone: setPlan })
  const start = useAction(startBulk, {
    onDone: ({ id }) => {
      setPlan(undefined)
      setRunning(id)
    },
    refreshes: bulkRefreshes,
  })
  const close = () => {
    start.reset()
    setPlan(undefined)
  }
  const again = () => {
    const action = plan?.action
    close()
    if (action) ask.run(action)
  }
  if (running !== undefined) return <Progress id={running} onClear={onClear} />
  return (
    <section className={styles.bar} aria-label="Selection">
      <strong role="status">All {total} matching faxes are selected</strong>
      {bulkKinds
        .filter((action) => action !== 'release' || filter.status === 'held')
        .map((action) => (
          <Button
            key={action}
            busy={ask.busy && asked === action}
            disabled={ask.busy && asked !== action}
            onClick={() => {
              setAsked(action)
              ask.run(action)
            }}
          >
            {bulkWords[action].verb}…
          </Button>
        ))}
      <Button tone="quiet" onClick={onClear}>
        Clear selection
      </Button>
      {ask.error && <ErrorNotice error={ask.error} />}
      {plan && <Question plan={plan} start={start} onAgain={again} onClose={close} />}
    </section>
  )
}

interface QuestionProps {
  plan: BulkPlan
  start: { busy: boolean; error: CallProblem | null; run: (plan: BulkPlan) => void }
  onAgain: () => void
  onClose: () => void
}

/** Asks with the number that the gateway has counted; it changes no more than that. */
function Question({ plan, start, onAgain, onClose }: QuestionProps) {
  const { action, count, isMinimum } = plan
  const { verb } = bulkWords[action]
  // Only a refusal is counted anew. After a lost answer the same request is made again, which begins nothing twice.
  const isOutdated = start.error?.status === 409
  if (count === 0 || isMinimum) {
    const why = isMinimum
      ? `This would change more than ${grouped(count)} faxes, which is too many at once. Narrow the filter, for example by time.`
      : `None of the matching faxes can be ${bulkWords[action].done} right now.${action === 'resend' ? ' Faxes already sent again are left out.' : ''}`
    return (
      <Confirm title={bulkQuestions[action]('these faxes')} verb="Count again" onConfirm={onAgain} onClose={onClose}>
        {why}
      </Confirm>
    )
  }
  return (
    <Confirm
      title={bulkQuestions[action](countFaxes(count))}
      verb={isOutdated ? 'Count again' : verb}
      danger={action === 'cancel'}
      action={start}
      onConfirm={isOutdated ? onAgain : () => start.run(plan)}
      onClose={onClose}
    >
      {bulkEffect(plan)} {action === 'resend' && 'Faxes already sent again are left out.'}
    </Confirm>
  )
}

/** How far it has come. It goes on when this screen is left. */
function Progress({ id, onClear }: { id: string; onClear: () => void }) {
  const { data, error, refetch } = useQuery(bulkQuery(id))
  const stop = useAction(() => stopBulk(id), { refreshes: [['bulk', id], ...bulkRefreshes] })
  const failedAction = error ?? stop.error
  if (!data) return failedAction && <ErrorNotice error={failedAction} onRetry={() => void refetch()} />
  const { action, total, done, refused, refusal, finished_at: finished } = data
  const words = bulkWords[action]
  return (
    <section className={styles.bar} aria-label="Selection">
      <strong role="status">
        {finished
          ? `${countFaxes(done)} ${words.done}`
          : `${words.under}: ${grouped(done + refused)} of ${grouped(total)}`}
      </strong>
      {!finished && <progress max={total} value={done + refused} aria-label={words.under} />}
      {refused > 0 && (
        <span>
          {countFaxes(refused)} left unchanged{refusal && `: ${refusal}`}
        </span>
      )}
      {finished ? <Button onClick={onClear}>Done</Button> : <Button action={stop}>Stop</Button>}
      {failedAction && <ErrorNotice error={failedAction} />}
    </section>
  )
}
