import type { Job } from '@faxdeck/contract'
import { useQuery } from '@tanstack/react-query'
import { FaxNotShown } from '../../../session/fax-access/fax-not-shown.tsx'
import { FaxHoldMenu } from '../../../session/fax-holds.tsx'
import { Button } from '../../../ui/control/button.tsx'
import { IconDownload } from '../../../ui/control/icons.ts'
import { Skeleton } from '../../../ui/layout/states.tsx'
import { Details } from '../../../ui/overlay/details-pane.tsx'
import { useToast } from '../../../ui/overlay/toast.tsx'
import { whyNoDocument } from '../../../ui/words/document-words.ts'
import { jobQuery, useJobActions } from '../queries.ts'
import { JobBody } from './job-body.tsx'

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
  const footer = job ? (
    <JobActions job={job} actions={actions} onClose={beside ? undefined : onClose} />
  ) : (
    <Button onClick={onClose}>Close</Button>
  )
  const tools = job && <FaxHoldMenu id={id} number={job.to_number} groupId={job.group_id} />
  return (
    <Details beside={beside} title={title} tools={tools} onClose={onClose} footer={footer}>
      {error && <FaxNotShown id={id} error={error} busy={isFetching} onRetry={again} />}
      {!job && !error && <Skeleton lines={8} height={1.5} />}
      {job && <JobBody job={job} actions={actions} find={find} onOpen={onOpen} onOver={again} />}
    </Details>
  )
}

interface JobActionsProps {
  job: Job
  actions: ReturnType<typeof useJobActions>
  /** Absent where the cross is at hand. */
  onClose?: (() => void) | undefined
}

/** What can be done with any job; what its outcome asks for stands beside the outcome. */
function JobActions({ job, actions, onClose }: JobActionsProps) {
  const { refresh, download, receipt } = actions
  const hasEnded = job.status === 'SUCCESS' || job.status === 'FAILED'
  return (
    <>
      {onClose && <Button onClick={onClose}>Close</Button>}
      <Button busy={refresh.busy} onClick={() => refresh.run(job.actions.includes('refresh'))}>
        Refresh Status
      </Button>
      {hasEnded && <Button action={receipt}>Receipt</Button>}
      <Button
        icon={IconDownload}
        busy={download.busy}
        disabled={!job.document_kept}
        title={job.document_kept ? undefined : whyNoDocument(job.document_missing)}
        onClick={() => download.run(undefined)}
      >
        Download PDF
      </Button>
    </>
  )
}
