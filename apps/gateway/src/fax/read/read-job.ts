import type { Job, JobSummary } from '@faxdeck/contract'
import { readKeyNames } from '../../access/actors/key-names.ts'
import type { Reader } from '../../base/db/database.ts'
import type { FaxJobRow } from '../../base/db/tables/tables.ts'
import { readCodes } from '../../paper/page-text/codes.ts'
import type { GatewayContext } from '../../base/context.ts'
import { waitingFor } from '../../base/providers/describe-pause.ts'
import { abilitiesOf, requireJob } from '../facts/find-job.ts'
import { asAccepted, presentJob, presentSummary, type ShownJob } from './present.ts'
import { readCopies } from './copies.ts'
import { attemptLimit } from '../move/retry.ts'
import { readJobs } from './list.ts'

/** A job as it was when it was accepted. */
export async function readAccepted(context: GatewayContext, job: FaxJobRow): Promise<Job> {
  const timeline = context.database.db.selectFrom('fax_timeline').selectAll().where('job_id', '=', job.id)
  const first = await timeline.where('n', '=', 1).execute()
  const names = await readKeyNames(context.database, [job.caller_key_id])
  const keyName = names.get(job.caller_key_id) ?? null
  const history = { attempts: [], timeline: first, maxAttempts: null, isMissing: false, keyName }
  return presentJob(asAccepted(job), abilitiesOf(context, job.backend), history)
}

/** A job as it is shown: one that waits for its provider says so, in a sentence too where nothing else was to be said. */
export function withPause({ providers, breakers }: GatewayContext, job: FaxJobRow): ShownJob {
  if ((job.phase !== 'queued' && job.phase !== 'waiting_retry') || job.hold !== null) return job
  const provider = providers.find(job.backend)
  const why = provider && waitingFor(breakers, provider)
  return why === undefined ? job : { ...job, error: job.error ?? why, waiting_for: provider?.name }
}

/** Whom the lists of broadcasts name, by the id of the fax. */
async function readListedNames(db: Reader, jobs: readonly FaxJobRow[]): Promise<Map<string, string>> {
  const ids = jobs.flatMap(({ id, broadcast_id: broadcast }) => (broadcast === null ? [] : id))
  if (ids.length === 0) return new Map()
  const recipients = db.selectFrom('broadcast_recipients').select(['job_id', 'name']).where('job_id', 'in', ids)
  return new Map((await recipients.execute()).flatMap(({ job_id: id, name }) => (name === null ? [] : [[id, name]])))
}

/** A job with its attempts and timeline, as a person sees it. @throws {Problem} `fax_not_found` */
export async function readJob(context: GatewayContext, id: string): Promise<Job> {
  const { db } = context.database
  const job = await requireJob(context, id)
  const attempts = await db.selectFrom('fax_attempts').selectAll().where('job_id', '=', id).orderBy('number').execute()
  const timeline = await db.selectFrom('fax_timeline').selectAll().where('job_id', '=', id).orderBy('n').execute()
  const same = attempts.filter(({ kind }) => kind !== null && kind === job.error_kind).length
  const waiting = job.phase === 'waiting_retry'
  const limit =
    typeof attempts.at(-1)?.again === 'string'
      ? job.attempt_count + 1
      : attemptLimit(job.error_kind, job.attempt_count, same, context.settings.current())
  const maxAttempts = waiting ? limit : null
  const isMissing = job.document_key !== null && context.storage.isMissing?.(job.document_key) === true
  const codes = (await readCodes(db, [id])).get(id)
  const names = await readKeyNames(context.database, [job.caller_key_id])
  const keyName = names.get(job.caller_key_id) ?? null
  const copies = (await readCopies(context, db, [id])).get(id) ?? []
  const history = { attempts, timeline, maxAttempts, isMissing, codes, keyName, copies }
  const listed_name = (await readListedNames(db, [job])).get(id)
  return presentJob({ ...withPause(context, job), listed_name }, abilitiesOf(context, job.backend), history)
}

/** Jobs as lists show them, in the same order. */
export async function presentSummaries(context: GatewayContext, jobs: readonly FaxJobRow[]): Promise<JobSummary[]> {
  const senders = jobs.map((job) => job.caller_key_id)
  const names = await readKeyNames(context.database, senders)
  const ids = jobs.map(({ id }) => id)
  const listed = await readListedNames(context.database.db, jobs)
  const copies = await readCopies(context, context.database.db, ids)
  return jobs.map((job) =>
    presentSummary(
      { ...withPause(context, job), listed_name: listed.get(job.id) },
      abilitiesOf(context, job.backend),
      names.get(job.caller_key_id),
      copies.get(job.id),
    ),
  )
}

/** The summaries of the jobs with these ids and of their copies, which say how these stand. Those that are gone are left out. */
export async function readSummaries(context: GatewayContext, ids: readonly string[]): Promise<JobSummary[]> {
  const { db } = context.database
  const copies = [...(await readCopies(context, db, ids)).values()].flat()
  return presentSummaries(context, await readJobs(db, [...new Set([...ids, ...copies.map(({ id }) => id)])]))
}
