import { isPrinted } from '../../packages/providers/src/testline/calls.ts'
import type { Findings } from './findings.ts'
import type { Submission } from './sender.ts'

/** How often each value occurs. */
function tally(values: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}

const repeated = (values: readonly string[]) => [...tally(values)].filter(([, count]) => count > 1)

/** Every way in which what happened differs from what was promised, one sentence each; none when all is well. */
export function faultsOf(ledger: readonly Submission[], findings: Findings): string[] {
  return [
    ...answerFaults(ledger, findings),
    ...deliveryFaults(ledger, findings),
    ...inboxFaults(findings),
    ...bookkeepingFaults(findings),
  ]
}

/** A 202 names one job, the job is there, and nobody else has it. */
function answerFaults(ledger: readonly Submission[], { jobs }: Findings): string[] {
  const known = new Set(jobs.map(({ id }) => id))
  const acknowledged = ledger.flatMap(({ ids }) => [...ids])
  const unclaimed = jobs.length - new Set(acknowledged).size
  const givenUp = ledger.filter((submission) => submission.givenUp).length
  return [
    ...ledger
      .filter(({ ids, givenUp }) => ids.size !== 1 && !givenUp)
      .map(({ idempotencyKey, ids }) => `${idempotencyKey} was answered with ${ids.size} jobs.`),
    ...repeated(acknowledged).map(([id]) => `Job ${id} was the answer to two submissions.`),
    ...acknowledged.filter((id) => !known.has(id)).map((id) => `Job ${id} was acknowledged with 202 and is lost.`),
    ...(unclaimed > givenUp ? [`${unclaimed} jobs answer to no client, who gave up ${givenUp} times.`] : []),
  ]
}

/** The line's own record: every job was printed at the far end once, and nothing else was. */
function deliveryFaults(ledger: readonly Submission[], { calls, jobs, inbox }: Findings): string[] {
  const printed = calls.filter(isPrinted)
  const printedJobs = new Set(printed.map(({ job }) => job))
  const known = new Set(jobs.map(({ id }) => id))
  const posted = tally(ledger.map(({ to }) => to))
  return [
    ...repeated(printed.map(({ job }) => job)).map(([id, count]) => `Job ${id} was delivered ${count} times.`),
    // The line keeps no numbers; the inbox has those of what it handed over.
    ...[...tally(inbox.map(({ to }) => to ?? ''))]
      .filter(([to, count]) => count > (posted.get(to) ?? 0))
      .map(([to, count]) => `${count} faxes arrived at ${to}, where ${posted.get(to) ?? 0} were sent.`),
    ...jobs.filter(({ id }) => !printedJobs.has(id)).map(({ id }) => `Job ${id} was never delivered.`),
    ...[...printedJobs].filter((id) => !known.has(id)).map((id) => `Job ${id} was delivered and nobody knows of it.`),
    ...calls.filter(({ ending }) => !ending).map(({ attempt }) => `The call of attempt ${attempt} has no end.`),
  ]
}

/** The far end is our own inbox: it holds each delivered fax once, with its document. */
function inboxFaults({ calls, inbox }: Findings): string[] {
  const delivered = calls.filter(isPrinted)
  const differs =
    inbox.length === delivered.length ? [] : [`${delivered.length} faxes arrived, ${inbox.length} are in the inbox.`]
  return [
    ...differs,
    ...repeated(inbox.map(({ provider_sid }) => provider_sid)).map(([id]) => `The inbox holds ${id} twice.`),
    ...inbox
      .filter(({ status, document_kept }) => status !== 'received' || !document_kept)
      .map(({ id, status }) => `Received fax ${id} is ${status} and lacks its document.`),
  ]
}

function bookkeepingFaults({ jobs, storedCounts, chain }: Findings): string[] {
  const listed = tally(jobs.map(({ status }) => status))
  return [
    ...jobs
      .filter(({ status }) => status !== 'SUCCESS')
      .map(({ id, status, error }) => `Job ${id} is ${status}: ${error}`),
    ...['queued', 'in_progress', 'SUCCESS', 'FAILED']
      .filter((status) => storedCounts[status] !== (listed.get(status) ?? 0))
      .map((status) => `${storedCounts[status]} jobs are counted as ${status}, ${listed.get(status) ?? 0} are listed.`),
    ...(storedCounts.attention ? [`${storedCounts.attention} jobs are uncertain and wait for a person.`] : []),
    ...(chain.intact ? [] : [`The audit chain is broken at entry ${chain.broken_at}.`]),
  ]
}
