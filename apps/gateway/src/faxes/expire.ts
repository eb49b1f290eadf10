import { readdir, rm } from 'node:fs/promises'
import { setImmediate as turn } from 'node:timers/promises'
import { join } from 'node:path'
import type { FaxJobRow } from '../db/tables/tables.ts'
import { transact } from '../db/transact.ts'
import { ownerOf } from '../storage/keys.ts'
import { pagesDirectory } from './line/drawn-pages.ts'
import type { GatewayContext } from '../context.ts'
import { idempotencyMs } from './accept/idempotency.ts'

const day = 24 * 3_600_000
const atOnce = 100
const keysAtOnce = 1000

/** Whether the fax that the document came with, one that was sent from it again, or one of its broadcast still needs it. */
async function isShared({ database }: GatewayContext, job: FaxJobRow, key: string): Promise<boolean> {
  const others = database.db
    .selectFrom('fax_jobs')
    .select('id')
    .where('document_key', '=', key)
    .where('id', '<>', job.id)
  const resent = await others.where('parent_id', 'is not', null).executeTakeFirst()
  const ofBroadcast = await others.where('broadcast_id', 'is not', null).executeTakeFirst()
  if (ofBroadcast) return true
  return resent !== undefined || (await others.where('id', '=', ownerOf(key)).executeTakeFirst()) !== undefined
}

/** Removes documents, and what was written on cover pages, of faxes that ended ARTIFACT_TTL_DAYS ago; what is known of the faxes stays. */
async function expireDocuments(context: GatewayContext): Promise<void> {
  const { artifact_ttl_days: days } = context.settings.current()
  if (days === 0) return
  const before = new Date(context.now().getTime() - days * day).toISOString()
  for (;;) {
    const jobs = await context.database.db
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
      if (key !== null && !(await isShared(context, job, key))) await context.storage.remove(key)
      await transact(context.database, async (tx) => {
        await tx.updateTable('fax_jobs').set({ document_key: null, cover: null }).where('id', '=', job.id).execute()
        await context.events.documentRemoved({ job_id: job.id, backend: job.backend }, tx)
      })
    }
    if (jobs.length < atOnce) return
  }
}

/** Removes Idempotency-Keys of yesterday and links that have ended; unused ones go with their fax, because they prove something. */
async function expireKeys({ database, now }: GatewayContext): Promise<void> {
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
async function removeStrayPages(context: GatewayContext): Promise<void> {
  const directory = pagesDirectory(context)
  const names = await readdir(directory).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  })
  for (const name of names) {
    const [id = ''] = name.split('.')
    const job = context.database.db
      .selectFrom('fax_jobs')
      .select('id')
      .where('id', '=', id)
      .where('finished_at', 'is', null)
    if (!(await job.executeTakeFirst())) await rm(join(directory, name), { force: true })
  }
}

/** Removes documents, keys, links and pages that were kept long enough. */
export async function expireFaxes(context: GatewayContext): Promise<void> {
  await expireDocuments(context)
  await expireKeys(context)
  await removeStrayPages(context)
}
