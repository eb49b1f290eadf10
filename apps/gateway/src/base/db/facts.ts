import { stat } from 'node:fs/promises'
import { sql } from 'kysely'
import type { Database } from './database.ts'

export interface DatabaseFacts {
  counts: Record<string, number>
  /** The file; absent on PostgreSQL. */
  sqlite?: { path: string | null; exists: boolean; size_bytes: number; modified: string | null }
}

async function countOf(database: Database, table: 'api_keys' | 'inbound_faxes' | 'queue') {
  const { n } = await database.db
    .selectFrom(table)
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .executeTakeFirstOrThrow()
  return n
}

/** How much the database holds. @throws when it cannot be reached */
export async function databaseFacts(database: Database): Promise<DatabaseFacts> {
  const jobs = await database.db
    .selectFrom('job_counts')
    .where('status', 'not in', ['attention', 'held', 'waiting'])
    .select(sql<number | string | null>`sum(jobs)`.as('n'))
    .executeTakeFirstOrThrow()
  const audit = await database.db.selectFrom('audit_head').select('seq').executeTakeFirstOrThrow()
  const counts = {
    fax_jobs: Number(jobs.n ?? 0),
    inbound_fax: await countOf(database, 'inbound_faxes'),
    api_keys: await countOf(database, 'api_keys'),
    queue: await countOf(database, 'queue'),
    audit_events: audit.seq,
  }
  if (database.engine !== 'sqlite') return { counts }
  const file = database.path ? await stat(database.path).catch(() => undefined) : undefined
  const sqlite = {
    path: database.path,
    exists: file !== undefined,
    size_bytes: file?.size ?? 0,
    modified: file?.mtime.toISOString() ?? null,
  }
  return { counts, sqlite }
}
