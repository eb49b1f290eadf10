import type { JobSummary } from '@faxdeck/contract'
import { readKeyNames } from '../../access/actors/key-names.ts'
import type { GatewayContext } from '../../base/context.ts'
import type { FaxJobRow } from '../../base/db/tables/tables.ts'
import { readJobs } from './list.ts'
import { presentSummary } from './present.ts'
import { abilitiesOf } from '../facts/find-job.ts'
import { withPause } from './read-job.ts'

/** Jobs as lists show them, in the same order. */
export async function presentSummaries(context: GatewayContext, jobs: readonly FaxJobRow[]): Promise<JobSummary[]> {
  const names = await readKeyNames(
    context.database,
    jobs.map((job) => job.caller_key_id),
  )
  return jobs.map((job) =>
    presentSummary(withPause(context, job), abilitiesOf(context, job.backend), names.get(job.caller_key_id)),
  )
}

/** The summaries of the jobs with these ids. Those that are gone are left out. */
export async function readSummaries(context: GatewayContext, ids: readonly string[]): Promise<JobSummary[]> {
  return presentSummaries(context, await readJobs(context.database.db, ids))
}
