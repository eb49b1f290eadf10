import { type Kysely, sql } from 'kysely'

/** Faxes that wait for another attempt are a list of their own, and counted apart. Held ones wait for a person instead. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('fax_jobs_waiting')
    .on('fax_jobs')
    .columns(['created_at', 'id'])
    .where(sql<boolean>`phase = 'waiting_retry'`)
    .execute()
  await sql`
    insert into job_counts (backend, status, jobs)
    select backend, 'waiting', count(*) from fax_jobs
    where phase = 'waiting_retry' and hold is null
    group by backend
  `.execute(db)
}
