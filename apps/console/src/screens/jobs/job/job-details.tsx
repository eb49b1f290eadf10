import type { Job } from '@faxdeck/contract'
import { useQuery } from '@tanstack/react-query'
import { FaxNotShown } from '../../../session/fax-access/fax-not-shown.tsx'
import { useToast } from '../../../ui/overlay/toast.tsx'
import { Button } from '../../../ui/control/button.tsx'
import { Dialog } from '../../../ui/overlay/dialog.tsx'
import { Skeleton } from '../../../ui/layout/skeleton.tsx'
import { DetailsPane } from '../../../ui/layout/details-pane.tsx'
import { FaxHoldMenu } from '../../../session/fax-holds.tsx'
import { JobActions } from './job-actions.tsx'
import { JobBody } from './job-body.tsx'
import { jobQuery, useJobActions } from '../queries.ts'

interface Props {
  id: string
  /** Beside the list, or as a dialog above it. */
  beside: boolean
  /** Words to point out on its pages. */
  find: string
  onOpen: (id: string) => void
  onClose: () => void
}

/** The details of one job. Give it the id as its key: what was pressed for one job does not carry over to the next. */
export function JobDetails({ id, beside, find, onOpen, onClose }: Props) {
  const say = useToast()
  const { data, error, isFetching, refetch } = useQuery(jobQuery(id))
  const again = () => void refetch()
  // What was read until now is not shown any more when it may not be: the time of an opening is over.
  const job = error?.answer?.code === 'fax_not_found' ? undefined : data
  const actions = useJobActions(id, (again: Job) => {
    say(`Sent again as ${again.id.slice(0, 8)}`)
    onOpen(again.id)
  })
  const title = `Fax ${id.slice(0, 8)}`
  const body = (
    <>
      {error && <FaxNotShown id={id} error={error} busy={isFetching} onRetry={again} />}
      {!job && !error && <Skeleton lines={8} height={1.5} />}
      {job && <JobBody job={job} actions={actions} find={find} onOpen={onOpen} onOver={again} />}
    </>
  )
  const footer = job ? (
    <JobActions job={job} actions={actions} onClose={beside ? undefined : onClose} />
  ) : (
    <Button onClick={onClose}>Close</Button>
  )
  const tools = job && <FaxHoldMenu id={id} number={job.to_number} groupId={job.group_id} />
  if (!beside) {
    return (
      <Dialog title={title} tools={tools} width="wide" onClose={onClose} footer={footer}>
        {body}
      </Dialog>
    )
  }
  return (
    <DetailsPane title={title} tools={tools} onClose={onClose} footer={footer}>
      {body}
    </DetailsPane>
  )
}
