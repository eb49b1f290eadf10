import type { Database } from '../../../base/db/database.ts'
import { hashOf } from '../../../base/events/chain.ts'

/** Cuts off the newest entries, from `from` on, and sets the end of the chain back. */
export async function cutNewest({ db }: Database, from: number): Promise<void> {
  const last = await db
    .selectFrom('audit_events')
    .selectAll()
    .where('seq', '=', from - 1)
    .executeTakeFirst()
  await db.deleteFrom('audit_events').where('seq', '>=', from).execute()
  await db
    .updateTable('audit_head')
    .set({ seq: from - 1, hash: last?.hash ?? '' })
    .execute()
}

/** Makes the chain whole again after entries were changed or taken out: numbers, hashes and end. */
export async function recompute({ db }: Database): Promise<void> {
  let [seq, previous] = [0, '']
  for (const row of await db.selectFrom('audit_events').selectAll().orderBy('seq').execute()) {
    const body = { seq: (seq += 1), ts: row.ts, event: row.event, fields: row.fields, prev_hash: previous }
    previous = hashOf(body)
    const change = { seq, prev_hash: body.prev_hash, hash: previous }
    await db.updateTable('audit_events').set(change).where('seq', '=', row.seq).execute()
  }
  await db.updateTable('audit_head').set({ seq, hash: previous }).execute()
}

/** Makes an entry say something else. */
export const rewrite = ({ db }: Database, seq: number) =>
  db
    .updateTable('audit_events')
    .set({ fields: JSON.stringify({ key_id: 'somebody else' }) })
    .where('seq', '=', seq)
    .execute()

export const takeOut = ({ db }: Database, seq: number) => db.deleteFrom('audit_events').where('seq', '=', seq).execute()
