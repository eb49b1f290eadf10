import type { Job } from '../../packages/contract/src/index.ts'
import type { AtNumber } from './witness.ts'

/** A fax that was given to Faxdeck, and the digests of its pages. */
export interface Given {
  id: string
  to: string
  pages: readonly string[]
}

/** What the carrier's word makes of what Faxdeck says. Each finding is a sentence. */
export interface Verdict {
  delivered: number
  /** By the kind of the failure. */
  failed: Record<string, number>
  calls: number
  lost: string[]
  doubled: string[]
  falseEndings: string[]
}

/** Compares what Faxdeck says of every fax with what the carrier has of it. */
export function judge(given: readonly Given[], jobs: readonly Job[], seen: ReadonlyMap<string, AtNumber>): Verdict {
  const verdict: Verdict = { delivered: 0, failed: {}, calls: 0, lost: [], doubled: [], falseEndings: [] }
  const byId = new Map(jobs.map((job) => [job.id, job]))
  for (const { id, to, pages } of given) {
    const job = byId.get(id)
    const there = seen.get(to) ?? { calls: 0, faxes: [] }
    verdict.calls += there.calls
    if (!job) {
      verdict.lost.push(`${id}: Faxdeck knows it no more.`)
      continue
    }
    const max = Math.max(0, ...there.faxes.map((fax) => fax.length))
    const whole = there.faxes.filter((fax) => fax.join() === pages.join()).length
    if (there.faxes.length > 1) verdict.doubled.push(`${to}: ${there.faxes.length} calls left pages there.`)
    if (job.status === 'SUCCESS') {
      verdict.delivered += 1
      if (whole === 0) verdict.lost.push(`${to}: delivered, and the machine has ${max} of ${pages.length} pages.`)
      continue
    }
    const kind = job.error_kind ?? job.status
    verdict.failed[kind] = (verdict.failed[kind] ?? 0) + 1
    const fault = falseEnding(job, max)
    if (fault !== undefined) verdict.falseEndings.push(`${to}: ${fault}`)
  }
  return verdict
}

/** Kinds that promise that nothing was printed, so that the fax may be tried again. */
const promiseNothing = ['busy', 'no_answer', 'bad_number', 'rejected', 'line_error', 'unreachable', 'rate_limited']

function falseEnding({ error_kind: kind, pages_confirmed: confirmed }: Job, there: number): string | undefined {
  if (kind === null) return 'no ending at all.'
  if (promiseNothing.includes(kind) && there > 0) return `${kind}, and the machine has ${there} pages.`
  if ((confirmed ?? 0) > there) return `${kind} with ${confirmed} pages confirmed, and the machine has ${there}.`
  return undefined
}
