import { readdir, rm } from 'node:fs/promises'
import { setImmediate as turn } from 'node:timers/promises'
import { join } from 'node:path'
import type { FaxJobRow } from '../db/tables.ts'
import { transact } from '../db/transact.ts'
import { ownerOf } from '../storage/keys.ts'
import { type FaxDoors, pagesDirectory } from './doors.ts'
import { idempotencyMs } from './idempotency.ts'

const day = 24 * 3_600_000
const atOnce = 100
const keysAtOnce = 1000

/** Whether the fax that the document came with, or one that was sent from it again, still needs it. */
async function isShared({ database }: FaxDoors, job: FaxJobRow, key: string): Promise<boolean> {
  const others = database.db
    .selectFrom('fax_jobs')
    .select('id')
    .where('document_key', '=', key)
    .where('id', '<>', job.id)
  const resent = await others.where('parent_id', 'is not', null).executeTakeFirst()
  return resent !== undefined || (await others.where('id', '=', ownerOf(key)).executeTakeFirst()) !== undefined
}

/** Removes documents, and what was written on cover pages, of faxes that ended ARTIFACT_TTL_DAYS ago; what is known of the faxes stays. */
async function expireDocuments(doors: FaxDoors): Promise<void> {
  const { artifact_ttl_days: days } = doors.settings()
  if (days === 0) return
  const before = new Date(doors.now().getTime() - days * day).toISOString()
  for (;;) {
    const jobs = await doors.database.db
      .selectFrom('fax_jobs')
      .selectAll()
      .where('document_key', 'is not', null)
      .where('finished_at', '<', before)
      .orderBy('finished_at')
      .limit(atOnce)
      .execute()
    for (const job of jobs) {
      const { document_key: key } = job
      // The document goes first: a crash between leaves something to remove again, never a forgotten document.
      if (key !== null && !(await isShared(doors, job, key))) await doors.storage.remove(key)
      await transact(doors.database, async (tx) => {
        await tx.updateTable('fax_jobs').set({ document_key: null, cover: null }).where('id', '=', job.id).execute()
        await doors.events.documentRemoved({ job_id: job.id, backend: job.backend }, tx)
      })
    }
    if (jobs.length < atOnce) return
  }
}

/** Removes Idempotency-Keys of yesterday and links that have ended; unused ones go with their fax, because they prove something. */
async function expireKeys({ database, now }: FaxDoors): Promise<void> {
  const ended = database.db.deleteFrom('document_tokens').where('expires_at', '<', now().toISOString())
  await ended.where('given_at', 'is not', null).execute()
  const before = new Date(now().getTime() - idempotencyMs).toISOString()
  for (;;) {
    const old = await database.db
      .selectFrom('idempotency_keys')
      .select(['caller_key_id', 'idempotency_key'])
      .where('created_at', '<', before)
      .limit(keysAtOnce)
      .execute()
    if (old.length === 0) return
    const pairs = old.map((row) => [row.caller_key_id, row.idempotency_key] as const)
    await database.db
      .deleteFrom('idempotency_keys')
      .where((eb) =>
        eb(
          eb.refTuple('caller_key_id', 'idempotency_key'),
          'in',
          pairs.map((pair) => eb.tuple(...pair)),
        ),
      )
      .execute()
    await turn()
  }
}

/** Removes rendered pages whose fax has ended: a crash may have left them. */
async function removeStrayPages(doors: FaxDoors): Promise<void> {
  const directory = pagesDirectory(doors)
  const names = await readdir(directory).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  })
  for (const name of names) {
    const [id = ''] = name.split('.')
    const job = doors.database.db
      .selectFrom('fax_jobs')
      .select('id')
      .where('id', '=', id)
      .where('finished_at', 'is', null)
    if (!(await job.executeTakeFirst())) await rm(join(directory, name), { force: true })
  }
}

/** The daily sweep of sending. */
export async function expireFaxes(doors: FaxDoors): Promise<void> {
  await expireDocuments(doors)
  await expireKeys(doors)
  await removeStrayPages(doors)
}
