import type { GatewayContext } from '../../base/context.ts'
import type { Tx } from '../../base/db/database.ts'

const atOnce = 100

/** In the transaction that records a deletion: the documents go once it is committed. */
export async function recordRemoval(tx: Tx, keys: readonly string[], now: Date): Promise<void> {
  if (keys.length === 0) return
  const recorded_at = now.toISOString()
  await tx
    .insertInto('document_removals')
    .values(keys.map((document_key) => ({ document_key, recorded_at })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Removes documents whose deletion is recorded. What a crash left is removed by the next round. */
export async function finishRemovals({ database: { db }, storage }: GatewayContext): Promise<void> {
  for (;;) {
    const rows = await db.selectFrom('document_removals').select('document_key').limit(atOnce).execute()
    for (const { document_key: key } of rows) {
      await storage.remove(key)
      await db.deleteFrom('document_removals').where('document_key', '=', key).execute()
    }
    if (rows.length < atOnce) return
  }
}
