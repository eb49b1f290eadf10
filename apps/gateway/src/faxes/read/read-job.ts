import type { Job } from '@faxdeck/contract'
import { readKeyNames } from '../../api-keys/key-names.ts'
import type { Database, Tx } from '../../db/database.ts'
import type { FaxAttemptRow, FaxJobRow } from '../../db/tables/tables.ts'
import { Problem } from '../../http/answers/problem.ts'
import { readCodes } from '../../page-text/codes.ts'
import { isTestLine } from '../../providers/test-line.ts'
import type { GatewayContext } from '../../context.ts'
import { waitingFor } from '../../providers/describe-pause.ts'
import { asAccepted, type JobAbilities, presentJob } from './present.ts'
import { attemptLimit } from '../move/retry.ts'

export async function findJob(db: Database['db'] | Tx, id: string): Promise<FaxJobRow | undefined> {
  return db.selectFrom('fax_jobs').selectAll().where('id', '=', id).executeTakeFirst()
}

/** @throws {Problem} `fax_not_found` */
export async function requireJob({ database }: GatewayContext, id: string): Promise<FaxJobRow> {
  const job = await findJob(database.db, id)
  if (!job) throw new Problem('fax_not_found')
  return job
}

export async function readAttempt({ database }: GatewayContext, id: string): Promise<FaxAttemptRow | undefined> {
  return database.db.selectFrom('fax_attempts').selectAll().where('id', '=', id).executeTakeFirst()
}

/** The live or last attempt of a fax that has been handed over. @throws when it never was */
export async function liveAttempt(context: GatewayContext, job: FaxJobRow): Promise<FaxAttemptRow> {
  const attempt = await readAttempt(context, job.attempt_id ?? '')
  if (!attempt) throw new Error('A fax that was handed over has no attempt.')
  return attempt
}

/** What the provider of a job can be asked for; nothing of one that is gone. */
export function abilitiesOf({ providers }: GatewayContext, backend: string): JobAbilities {
  const traits = providers.find(backend)?.traits
  return {
    isTest: isTestLine(providers, backend),
    supportsCancel: traits?.supports_cancel ?? false,
    supportsStatus: traits?.supports_status ?? false,
  }
}

/** A job as it was when it was accepted. */
export async function readAccepted(context: GatewayContext, job: FaxJobRow): Promise<Job> {
  const timeline = context.database.db.selectFrom('fax_timeline').selectAll().where('job_id', '=', job.id)
  const first = await timeline.where('n', '=', 1).execute()
  const names = await readKeyNames(context.database, [job.caller_key_id])
  const keyName = names.get(job.caller_key_id) ?? null
  const history = { attempts: [], timeline: first, maxAttempts: null, isMissing: false, keyName }
  return presentJob(asAccepted(job), abilitiesOf(context, job.backend), history)
}

/** A job as it is shown: one that waits for its provider says so, where nothing else was to be said. */
export function withPause({ providers, breakers }: GatewayContext, job: FaxJobRow): FaxJobRow {
  if (job.phase !== 'queued' && job.phase !== 'waiting_retry') return job
  const provider = job.error === null ? providers.find(job.backend) : undefined
  const error = provider && waitingFor(breakers, provider)
  return error === undefined ? job : { ...job, error }
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
  const history = { attempts, timeline, maxAttempts, isMissing, codes, keyName }
  return presentJob(withPause(context, job), abilitiesOf(context, job.backend), history)
}
