import type { Job } from '@faxdeck/contract'
import { Button } from '../../../ui/control/button.tsx'
import { IconDownload } from '../../../ui/control/icons.ts'
import { whyNoDocument } from '../../../ui/words/document-words.ts'
import type { useJobActions } from '../queries.ts'

interface Props {
  job: Job
  actions: ReturnType<typeof useJobActions>
  /** Absent where the cross is at hand. */
  onClose?: (() => void) | undefined
}

/** What can be done with any job; what its outcome asks for stands beside the outcome. */
export function JobActions({ job, actions, onClose }: Props) {
  const { refresh, download, receipt } = actions
  const hasEnded = job.status === 'SUCCESS' || job.status === 'FAILED'
  return (
    <>
      {onClose && <Button onClick={onClose}>Close</Button>}
      <Button busy={refresh.busy} onClick={() => refresh.run(job.actions.includes('refresh'))}>
        Refresh Status
      </Button>
      {hasEnded && (
        <Button busy={receipt.busy} onClick={() => receipt.run(undefined)}>
          Receipt
        </Button>
      )}
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
