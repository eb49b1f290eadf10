import type { Job, JobSummary, ResendRefusal } from '@faxdeck/contract'
import type { CallProblem } from '@faxdeck/contract/client'
import { shortTime } from '../../../ui/time.tsx'
import { preposition } from './outcome-words.ts'

type ResentAs = NonNullable<JobSummary['resent_as']>

/** How the fax stands as which another was sent again: "Sent again: delivered 13:48". */
export function resentWords({ status, needs_attention: needsPerson, test, at }: ResentAs): string {
  if (status === 'SUCCESS') return test ? 'Sent again: test passed' : `Sent again: delivered ${shortTime(at)}`
  if (status === 'FAILED') return `Sent again: failed ${shortTime(at)}`
  return needsPerson ? 'Sent again: unconfirmed' : 'Sent again: on its way'
}

const refusals: readonly string[] = [
  'already_delivered',
  'already_under_way',
  'number_failed',
] satisfies ResendRefusal[]

const isRefusal = (code: string | undefined): code is ResendRefusal => refusals.includes(code ?? '')

/** Why the gateway refused to send a fax again unasked; undefined of any other problem. */
export function refusalIn(problem: CallProblem | null): ResendRefusal | undefined {
  const code = problem?.answer?.code
  return isRefusal(code) ? code : undefined
}

const deliveredAt = ({ status, test, timeline, resent_as: as }: Job) =>
  status === 'SUCCESS' && !test
    ? timeline.findLast(({ event }) => event === 'delivered')?.at
    : as?.status === 'SUCCESS' && !as.test
      ? as.at
      : undefined

/** What a person is asked before a fax is sent again that would be refused. */
export function resendQuestion(job: Job, refusal: ResendRefusal): string {
  if (refusal === 'already_under_way')
    return 'This document was already sent again to this number and may still arrive. Send another copy?'
  if (refusal === 'number_failed')
    return job.error_kind === 'bad_number'
      ? 'This number is not in service. Dial it again?'
      : 'A person may have answered at this number, not a fax machine. Dial it again?'
  const at = deliveredAt(job)
  const time = at && shortTime(at)
  return `This document was delivered to this number${time ? ` ${preposition(time)} ${time}` : ''}. Send another copy?`
}
