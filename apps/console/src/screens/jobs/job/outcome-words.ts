import type { FailureKind, Job } from '@faxdeck/contract'
import { shortTime } from '../../../ui/time.tsx'
import { countPages } from '../../../ui/words/figures.ts'
import { withHour } from './timeline-words.ts'

/** What helps a fax that failed. `again` and `another` name the button that is offered first; none where neither helps. */
interface Remedy {
  next?: string
  first?: 'again' | 'another'
}

/** By the kind of failure. */
export const remedies: Readonly<Record<FailureKind, Remedy>> = {
  busy: { next: 'Send it again later. If the line stays busy, contact the recipient.', first: 'again' },
  no_answer: { next: 'Check the number, and ask whether the fax machine is on. Then send it again.', first: 'again' },
  line_error: { next: 'Send it again. If it fails again, ask the recipient for another fax number.', first: 'again' },
  unreachable: { next: 'Send it again once the provider is reachable.', first: 'again' },
  rate_limited: { next: 'Send it again in a few minutes.', first: 'again' },
  rejected: { next: 'Fix the problem the provider named, then send it again.' },
  bad_number: { next: 'Ask the recipient for the correct number, then send the fax there.', first: 'another' },
  bad_credentials: { next: 'Correct the provider’s credentials in Settings, then send it again.' },
  bad_document: { next: 'Send the document in another format, such as PDF.' },
  partial: { next: 'Send it again if the recipient needs every page.', first: 'again' },
  uncertain: { next: 'Ask the recipient before you send it again.' },
  cancelled: {},
}

/** What helps a fax that failed; nothing is known of one without a kind, which may be sent again. */
export const remedyOf = ({ error_kind: kind }: Pick<Job, 'error_kind'>): Remedy =>
  kind === null ? { first: 'again' } : remedies[kind]

export interface OutcomeWords {
  sentence: string
  next?: string | undefined
}

export const preposition = (time: string) => (/^\d+:/.test(time) ? 'at' : 'on')

function deliveredWords({ pages, pages_confirmed: confirmed, timeline, updated_at: updated }: Job): string {
  const time = shortTime(timeline.findLast(({ event }) => event === 'delivered')?.at ?? updated)
  const when = `Delivered ${preposition(time)} ${time}.`
  if (pages === null) return when
  const counted = countPages(pages)
  return confirmed === null ? `${when} ${counted}.` : `${when} ${confirmed} of ${counted} confirmed.`
}

function movingWords({ attempt_count: attempt, max_attempts: limit, next_try_at: next, error }: Job): OutcomeWords {
  if (next) {
    const sentence = withHour(error ?? 'The call failed. Retrying.', shortTime(next))
    return { sentence, next: 'No action needed: Faxdeck retries automatically.' }
  }
  if (attempt === 0) return { sentence: 'Preparing to send.' }
  return { sentence: `Sending now: attempt ${attempt}${limit ? ` of ${limit}` : ''}.` }
}

/** Whether the same fax is on its way or was delivered under another id: nothing is left to do about this one. */
const hasSuccessor = ({ resent_as: as }: Job) => as !== null && as.status !== 'FAILED'

/**
 * The answer to "did it arrive, why not, what now" in one or two sentences. Undefined for a fax that waits for a
 * person: the box that asks them says it.
 */
export function outcomeWords(job: Job): OutcomeWords | undefined {
  if (job.held || job.actions.includes('resolve')) return undefined
  if (job.status === 'SUCCESS') return { sentence: job.test ? 'The test passed.' : deliveredWords(job) }
  if (job.status === 'FAILED')
    return { sentence: job.error ?? 'The fax was not sent.', next: hasSuccessor(job) ? undefined : remedyOf(job).next }
  if (job.status === 'in_progress') return movingWords(job)
  return { sentence: job.error ?? 'Waiting to be sent.' }
}
