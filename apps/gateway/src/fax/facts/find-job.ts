import type { Database, Tx } from '../../base/db/database.ts'
import type { FaxAttemptRow, FaxJobRow } from '../../base/db/tables/tables.ts'
import { Problem } from '../../base/http/answers/problem.ts'
import { isTestLine } from '../../base/providers/test-line.ts'
import type { GatewayContext } from '../../base/context.ts'

/** What the provider of a job can be asked for, and whether it is the test line. */
export interface JobAbilities {
  isTest: boolean
  supportsCancel: boolean
  supportsStatus: boolean
}

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
