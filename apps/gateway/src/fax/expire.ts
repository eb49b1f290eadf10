import { readdir, rm } from 'node:fs/promises'
import { setImmediate as turn } from 'node:timers/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Tx } from '../base/db/database.ts'
import type { FaxJobRow } from '../base/db/tables/tables.ts'
import { transact } from '../base/db/transact.ts'
import { lockHolds, sentIsHeld } from '../paper/retention/held.ts'
import { finishRemovals, recordRemoval } from '../paper/retention/removals.ts'
import { isOverdue, mayDelete, type Overdue, overdueBy } from '../paper/retention/rules.ts'
import { ownerOf } from '../base/storage/keys.ts'
import { pagesDirectory } from './facts/drawn-pages.ts'
import type { GatewayContext } from '../base/context.ts'
import { idempotencyMs } from './facts/idempotency.ts'

const atOnce = 100
const keysAtOnce = 1000

/** Whether the fax that the document came with, one that was sent from it again, or one of its broadcast still needs it. */
async function isShared(tx: Tx, job: FaxJobRow, key: string): Promise<boolean> {
  const others = tx.selectFrom('fax_jobs').select('id').where('document_key', '=', key).where('id', '<>', job.id)
  const resent = await others.where('parent_id', 'is not', null).executeTakeFirst()
  const ofBroadcast = await others.where('broadcast_id', 'is not', null).executeTakeFirst()
  if (ofBroadcast) return true
  return resent !== undefined || (await others.where('id', '=', ownerOf(key)).executeTakeFirst()) !== undefined
}

/** Faxes that ended before a rule's time and still have their document, except those that a legal hold keeps. */
function listOverdue({ database }: GatewayContext, rule: Overdue): Promise<FaxJobRow[]> {
  return database.db
    .selectFrom('fax_jobs')
    .selectAll()
    .where('document_key', 'is not', null)
    .where(isOverdue('finished_at', rule))
    .where(sql<boolean>`not ${sentIsHeld}`)
    .orderBy('finished_at')
    .limit(atOnce)
    .execute()
}

/**
 * Parts a fax from its document and records that, if no hold was placed meanwhile; the document itself goes afterwards.
 * A crash between leaves something to remove, never a document that is gone without a record.
 */
async function expireDocument(context: GatewayContext, job: FaxJobRow, { days, group }: Overdue): Promise<void> {
  const { database, events, now } = context
  const { id, backend, document_key: key, document_sha256: sha256, pages, created_at } = job
  await transact(database, async (tx) => {
    await lockHolds(tx, database.engine, 'shared')
    const parted = await tx
      .updateTable('fax_jobs')
      .set({ document_key: null, cover: null })
      .where('id', '=', id)
      .where('document_key', '=', key)
      .where(mayDelete)
      .where(sql<boolean>`not ${sentIsHeld}`)
      .returning('id')
      .executeTakeFirst()
    if (!parted || key === null) return
    if (!(await isShared(tx, job, key))) await recordRemoval(tx, [key], now())
    const rule = { reason: 'retention', days, rule_group: group } as const
    const facts = { direction: 'sent', sha256, pages, created_at, ...rule } as const
    await events.documentRemoved({ job_id: id, backend, ...facts }, tx)
  })
}

/** Removes documents, and what was written on cover pages, of faxes that are past their time; what is known of the faxes stays. */
async function expireDocuments(context: GatewayContext): Promise<void> {
  for (const rule of await overdueBy(context, 'sent')) {
    for (;;) {
      const jobs = await listOverdue(context, rule)
      for (const job of jobs) await expireDocument(context, job, rule)
      await finishRemovals(context)
      if (jobs.length < atOnce) break
    }
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
