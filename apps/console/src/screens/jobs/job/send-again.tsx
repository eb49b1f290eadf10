import type { Job } from '@faxdeck/contract'
import { losesWriting } from '@faxdeck/contract/page-notes'
import { Confirm } from '../../../ui/overlay/confirm.tsx'
import { PageNotes } from '../../../ui/fax/page-notes.tsx'
import { doubtsIn, UnlikelyQuestion } from '../../../ui/fax/unlikely-question.tsx'
import type { useJobActions } from '../queries.ts'

interface Props {
  job: Job
  resend: ReturnType<typeof useJobActions>['resend']
  onClose: () => void
}

/** Asks before a fax goes out a second time, and before one goes out although the recipient cannot read all of it. */
export function SendAgain({ job, resend, onClose }: Props) {
  const lost = job.page_notes.filter(losesWriting)
  const isLossy = lost.length > 0
  const choice = isLossy ? ({ unreadable: 'send' } as const) : {}
  const doubts = doubtsIn(resend.error)
  if (doubts.length > 0)
    return (
      <UnlikelyQuestion
        doubts={doubts}
        action={{ busy: resend.busy }}
        onConfirm={() => resend.run({ ...choice, allow_unlikely_number: true })}
        onClose={onClose}
      />
    )
  return (
    <Confirm
      title={isLossy ? 'Send it with unreadable parts?' : 'Send this fax again?'}
      verb={isLossy ? 'Send anyway' : 'Send again'}
      action={resend}
      onConfirm={() => resend.run(choice)}
      onClose={onClose}
    >
      {job.status === 'SUCCESS' && (
        <p>This fax was already delivered. The recipient will get it again, as a new fax.</p>
      )}
      {isLossy && (
        <>
          <PageNotes notes={lost} />
          <p>The recipient won’t be able to read these parts. The fax is sent as it is, with a note on the job.</p>
        </>
      )}
    </Confirm>
  )
}
