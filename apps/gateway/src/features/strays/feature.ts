import type { GatewayContext } from '../../base/context.ts'
import type { Feature } from '../../base/feature.ts'
import { setImmediate as turn } from 'node:timers/promises'
import { markOf } from '../../base/db/mark.ts'
import { transact } from '../../base/db/transact.ts'
import { type Folder, folders, markIn } from '../../base/storage/keys.ts'
import { findReferenced } from '../../paper/retention/referenced.ts'

const hour = 3_600_000
/** For so long a document has to be seen as belonging to nothing: no submission takes a day, and somebody who puts an older database in place has this time to notice. */
const graceMs = 24 * hour
const forgottenMs = 7 * 24 * hour
const atOnce = 200

/** Remembers what belongs to nothing, forgets what does, and returns those that have been seen for longer than the grace. */
async function note({ database, now }: GatewayContext, folder: Folder, keys: readonly string[]): Promise<string[]> {
  const { db } = database
  const referenced = await findReferenced(db, folder, keys)
  const noted = await db.selectFrom('stray_documents').selectAll().where('document_key', 'in', keys).execute()
  const known = new Set(noted.map((row) => row.document_key))
  const settled = [...known].filter((key) => referenced.has(key))
  if (settled.length > 0) await db.deleteFrom('stray_documents').where('document_key', 'in', settled).execute()
  const seen_at = now().toISOString()
  const fresh = keys.filter((key) => !referenced.has(key) && !known.has(key))
  if (fresh.length > 0) {
    const rows = fresh.map((document_key) => ({ document_key, seen_at }))
    await db
      .insertInto('stray_documents')
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
  const before = new Date(now().getTime() - graceMs).toISOString()
  return noted
    .filter((row) => row.seen_at <= before && !referenced.has(row.document_key))
    .map((row) => row.document_key)
}

/** Removes documents, then what was noted of them. Of several processes that do so at once, one records each. */
async function remove({ database, storage, events }: GatewayContext, folder: Folder, keys: readonly string[]) {
  if (keys.length === 0) return
  for (const key of keys) await storage.remove(key)
  await transact(database, async (tx) => {
    const gone = await tx
      .deleteFrom('stray_documents')
      .where('document_key', 'in', keys)
      .returning('document_key')
      .execute()
    if (gone.length > 0) await events.straysRemoved({ folder, documents: gone.length }, tx)
  })
}

/** The keys of this database, so many at once that they take few questions and none of them long. */
async function* inBatches(pages: AsyncIterable<readonly string[]>, mark: string): AsyncGenerator<string[]> {
  let waiting: string[] = []
  for await (const page of pages) {
    waiting.push(...page.filter((key) => markIn(key) === mark))
    while (waiting.length >= atOnce) {
      yield waiting.slice(0, atOnce)
      waiting = waiting.slice(atOnce)
    }
  }
  if (waiting.length > 0) yield waiting
}

/**
 * Removes stored documents that no fax, request or upload refers to, once they have been seen so for a day: a crash
 * between storing and committing leaves them. Only those that this database has named: another installation may share
 * the place. Reads the storage in pages; safe in several processes at once.
 */
export async function removeStrays(context: GatewayContext): Promise<void> {
  const mark = await markOf(context.database)
  for (const folder of folders) {
    for await (const keys of inBatches(context.storage.list(folder), mark)) {
      await remove(context, folder, await note(context, folder, keys))
      await turn()
    }
  }
  // What was noted while it was on its way, and refused: it is not there any more.
  const longAgo = new Date(context.now().getTime() - forgottenMs).toISOString()
  await context.database.db.deleteFrom('stray_documents').where('seen_at', '<', longAgo).execute()
}

/** The same, at most every six hours, because to read all names takes a while; sooner after a failure. */
export function strayCleanup(context: GatewayContext): (now?: () => Date) => Promise<void> {
  let dueAt = 0
  return async (now = context.now) => {
    const at = now().getTime()
    if (at < dueAt) return
    dueAt = at + 6 * hour
    try {
      await removeStrays(context)
    } catch (error) {
      dueAt = 0
      throw error
    }
  }
}

/** Removes documents that belong to nothing. */
export const createStrays = (context: GatewayContext) =>
  ({ name: 'strays', expire: strayCleanup(context) }) satisfies Feature
