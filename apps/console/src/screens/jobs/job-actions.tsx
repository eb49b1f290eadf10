import type { Job } from '@faxdeck/contract'
import { losesWriting } from '@faxdeck/contract/page-notes'
import { useState } from 'react'
import { Button } from '../../ui/control/button.tsx'
import { Confirm } from '../../ui/overlay/confirm.tsx'
import { whyNoDocument } from '../../ui/words/document-words.ts'
import { IconDownload } from '../../ui/control/icons.ts'
import { SendAgain } from './send-again.tsx'
import type { useJobActions } from './queries.ts'

interface Props {
  job: Job
  actions: ReturnType<typeof useJobActions>
  onClose: () => void
}

/** What can be done with a job now; the thing most likely wanted comes last. */
export function JobActions({ job, actions, onClose }: Props) {
  const { refresh, cancel, release, resend, download, receipt } = actions
  const [asking, setAsking] = useState(false)
  const [releasing, setReleasing] = useState(false)
  const allows = (action: Job['actions'][number]) => job.actions.includes(action)
  // A fax that the provider lists was probably sent: its release is no first choice.
  const isListed = (job.held?.found.length ?? 0) > 0
  const hasEnded = job.status === 'SUCCESS' || job.status === 'FAILED'
  // A fax that arrived, or that loses writing, goes out again only after a second thought.
  const isAsked = job.status === 'SUCCESS' || job.page_notes.some(losesWriting)
  const sendAgain = () => (isAsked ? setAsking(true) : resend.run(undefined))
  return (
    <>
      <Button onClick={onClose}>Close</Button>
      <Button busy={refresh.busy} onClick={() => refresh.run(allows('refresh'))}>
        Refresh Status
      </Button>
      {allows('cancel') && (
        <Button busy={cancel.busy} onClick={() => cancel.run(undefined)}>
          Cancel fax
        </Button>
      )}
      <Button
        busy={download.busy}
        disabled={!job.document_kept}
        title={job.document_kept ? undefined : whyNoDocument(job.document_missing)}
        onClick={() => download.run(undefined)}
      >
        <IconDownload size="1rem" aria-hidden="true" />
        Download PDF
      </Button>
      {hasEnded && (
        <Button busy={receipt.busy} onClick={() => receipt.run(undefined)}>
          Receipt
        </Button>
      )}
      {allows('release') && (
        <Button tone={isListed ? 'plain' : 'primary'} busy={release.busy} onClick={() => setReleasing(true)}>
          Release
        </Button>
      )}
      {releasing && allows('release') && (
        <Confirm
          title="Release this fax?"
          verb="Release"
          busy={release.busy}
          error={release.error}
          onConfirm={() => release.run(undefined)}
          onClose={() => setReleasing(false)}
        >
          It is sent now. If it was sent after the backup, the recipient gets it twice.
        </Confirm>
      )}
      {allows('resend') && (
        <Button tone="primary" busy={resend.busy} onClick={sendAgain}>
          Send again
        </Button>
      )}
      {asking && <SendAgain job={job} resend={resend} onClose={() => setAsking(false)} />}
    </>
  )
}
