import type { JobSummary } from '@faxdeck/contract'
import { useState } from 'react'
import { useAction } from '../../../api/use-action.ts'
import { useSession } from '../../../session/session.ts'
import { Button } from '../../../ui/control/button.tsx'
import { ErrorNotice } from '../../../ui/layout/states.tsx'
import { Confirm } from '../../../ui/overlay/dialog.tsx'
import { useToast } from '../../../ui/overlay/toast.tsx'
import { countFaxes, grouped } from '../../../ui/words/figures.ts'
import { exportJobs } from '../queries.ts'
import { bulkRefreshes, changeJobs, type JobsPlan, planJobs } from './bulk-queries.ts'
import { bulkEffect, bulkKinds, bulkQuestions, bulkWords } from './bulk-words.ts'
import { blankFilter } from './job-filter.ts'
import styles from './selection-bar.module.css'

interface Props {
  /** The chosen jobs with their present facts. */
  jobs: readonly JobSummary[]
  /** How many match in all, when every loaded one is chosen and there are more. */
  matching?: string | undefined
  onAll: () => void
  onClear: () => void
}

/** "2 of 3", where an action is not for all. */
const share = (able: number, chosen: number) =>
  able === chosen ? grouped(able) : `${grouped(able)} of ${grouped(chosen)}`

/** What can be done with the chosen jobs together. */
export function SelectionBar({ jobs, matching, onAll, onClear }: Props) {
  const { may } = useSession()
  const say = useToast()
  const [plan, setPlan] = useState<JobsPlan>()
  const [refusals, setRefusals] = useState<Error[]>([])
  const change = useAction(changeJobs, {
    onDone: ({ action, done, failed }) => {
      setPlan(undefined)
      setRefusals(failed)
      if (done > 0) say(`${countFaxes(done)} ${bulkWords[action].done}`)
      if (failed.length === 0) onClear()
    },
    refreshes: bulkRefreshes,
  })
  const save = useAction((ids: string[]) => exportJobs(blankFilter, ids))
  const saveCsv = () => save.run(jobs.map((job) => job.id))
  const plans = bulkKinds
    .filter((action) => action !== 'release' || may('handle_faxes'))
    .map((action) => ({ action, jobs: jobs.filter((job) => job.actions.includes(action)) }))
    .filter((each) => each.jobs.length > 0)
  const [refusal] = refusals
  return (
    <section className={styles.bar} aria-label="Selection">
      <strong role="status">{grouped(jobs.length)} selected</strong>
      {matching && may('handle_faxes') && (
        <Button tone="quiet" onClick={onAll}>
          Select all {matching} that match
        </Button>
      )}
      {plans.map((each) => (
        <Button key={each.action} onClick={() => setPlan(planJobs(each.action, each.jobs))}>
          {bulkWords[each.action].verb} ({share(each.jobs.length, jobs.length)})
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
          title={bulkQuestions[plan.action](countFaxes(plan.jobs.length))}
          verb={bulkWords[plan.action].verb}
          danger={plan.action === 'cancel'}
          action={change}
          onConfirm={() => change.run(plan)}
          onClose={() => setPlan(undefined)}
        >
          {bulkEffect(plan)}
        </Confirm>
      )}
    </section>
  )
}
