import type { JobSummary } from '@faxdeck/contract'
import { useState } from 'react'
import { useAction } from '../../api/use-action.ts'
import { Button } from '../../ui/control/button.tsx'
import { Confirm } from '../../ui/overlay/confirm.tsx'
import { ErrorNotice } from '../../ui/layout/error-notice.tsx'
import { useToast } from '../../ui/overlay/toast.tsx'
import { bulkRefreshes, changeJobs, exportJobs, type BulkAction } from './queries.ts'
import styles from './selection-bar.module.css'

interface Props {
  /** The chosen jobs with their present facts. */
  jobs: readonly JobSummary[]
  onClear: () => void
}

interface Plan {
  action: BulkAction
  jobs: readonly JobSummary[]
}

const words = {
  release: {
    verb: 'Release',
    done: 'released',
    effect: 'They are sent now. Any that were already sent after the backup arrive twice.',
  },
  resend: {
    verb: 'Send again',
    done: 'sent again',
    effect: 'Each is sent again as a new fax to the same number. Recipients who already got theirs get it again.',
  },
  cancel: {
    verb: 'Cancel faxes',
    done: 'cancelled',
    effect: 'They won’t be sent. Anything a provider has already started to send may still arrive.',
  },
} as const

const countFaxes = (count: number) => (count === 1 ? '1 fax' : `${count} faxes`)
const questions = {
  release: (count: number) => `Release ${countFaxes(count)}?`,
  resend: (count: number) => `Send ${countFaxes(count)} again?`,
  cancel: (count: number) => `Cancel ${countFaxes(count)}?`,
}

/** What can be done with the chosen jobs together. */
export function SelectionBar({ jobs, onClear }: Props) {
  const say = useToast()
  const [plan, setPlan] = useState<Plan>()
  const [refusals, setRefusals] = useState<Error[]>([])
  const change = useAction(changeJobs, {
    onDone: ({ action, done, failed }) => {
      setPlan(undefined)
      setRefusals(failed)
      if (done > 0) say(`${countFaxes(done)} ${words[action].done}`)
      if (failed.length === 0) onClear()
    },
    refreshes: bulkRefreshes,
  })
  const save = useAction((ids: string[]) => exportJobs({}, ids))
  const saveCsv = () => save.run(jobs.map((job) => job.id))
  const plans = (['release', 'resend', 'cancel'] as const)
    .map((action) => ({ action, jobs: jobs.filter((job) => job.actions.includes(action)) }))
    .filter((each) => each.action !== 'release' || each.jobs.length > 0)
  const [refusal] = refusals
  return (
    <section className={styles.bar} aria-label="Selection">
      <strong role="status">{jobs.length} selected</strong>
      {plans.map((each) => (
        <Button key={each.action} disabled={each.jobs.length === 0} onClick={() => setPlan(each)}>
          {words[each.action].verb} ({each.jobs.length})
        </Button>
      ))}
      <Button busy={save.busy} onClick={saveCsv}>
        Export CSV
      </Button>
      <Button tone="quiet" onClick={onClear}>
        Clear selection
      </Button>
      {save.error && <ErrorNotice error={save.error} onRetry={saveCsv} busy={save.busy} />}
      {refusal && (
        <div className={styles.refused}>
          {refusals.length > 1 && <p>{countFaxes(refusals.length)} were refused. The first:</p>}
          <ErrorNotice error={refusal} />
        </div>
      )}
      {plan && (
        <Confirm
          title={questions[plan.action](plan.jobs.length)}
          verb={words[plan.action].verb}
          danger={plan.action === 'cancel'}
          busy={change.busy}
          error={change.error}
          onConfirm={() => change.run(plan)}
          onClose={() => setPlan(undefined)}
        >
          {words[plan.action].effect}
        </Confirm>
      )}
    </section>
  )
}
