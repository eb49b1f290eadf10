import type { GatewayContext } from '../../base/context.ts'
import type { Tx } from '../../base/db/database.ts'
import { insertAll } from '../../base/db/insert-all.ts'
import type { BroadcastRow } from '../../base/db/tables/broadcasts.ts'
import { transact } from '../../base/db/transact.ts'
import { insertJobs, type NewJob } from '../../fax/accept/accept.ts'
import { bindCall, findBinding, type KeyedCall } from '../../fax/facts/idempotency.ts'
import { Problem } from '../../base/http/answers/problem.ts'
import { findBroadcast } from './store.ts'

/** A fax of a broadcast that is ready to be promised. */
export interface NewFax {
  job: NewJob
  name: string | null
}

/** A broadcast with all its faxes. */
export interface NewBroadcast {
  row: BroadcastRow
  faxes: readonly NewFax[]
}

/** The id of the broadcast that was accepted, and whether that was done by an earlier call with the same key. */
export interface AcceptedBroadcast {
  id: string
  replayed: boolean
}

/** The broadcast of the call that used the key first. @throws {Problem} `idempotency_conflict` */
export async function findFirst(
  context: GatewayContext,
  call: KeyedCall,
  fingerprint: string,
): Promise<AcceptedBroadcast | undefined> {
  const bound = await findBinding(context, call, context.now())
  if (!bound) return undefined
  // Seen a moment before it is on disk, it would be promised too early.
  await context.database.synced()
  if (bound.fingerprint !== fingerprint) throw new Problem('idempotency_conflict')
  return { id: bound.job_id, replayed: true }
}

async function insert(context: GatewayContext, tx: Tx, { row, faxes }: NewBroadcast): Promise<void> {
  await tx.insertInto('broadcasts').values(row).execute()
  const jobs = faxes.map(({ job }) => job)
  await insertJobs(tx, jobs, context)
  const recipients = faxes.map(({ job, name }, at) => ({
    broadcast_id: row.id,
    n: at + 1,
    job_id: job.row.id,
    name,
  }))
  await insertAll(tx, 'broadcast_recipients', recipients)
  const { id: broadcast, caller_key_id: key_id, faxes: count, duplicates, parent_id } = row
  await context.events.broadcastCreated({ broadcast, key_id, faxes: count, duplicates, parent: parent_id }, tx)
}

/**
 * Commits a broadcast with all its faxes and the key of its call, or nothing of it. When it resolves, each fax will be
 * sent or a person will know why not.
 * @param make the broadcast under this id, made inside of the transaction, from what stands there then
 * @throws {Problem} `idempotency_conflict`, and whatever `make` refuses
 */
export function acceptBroadcast(
  context: GatewayContext,
  { call, fingerprint, id }: { call: KeyedCall; fingerprint: string; id: string },
  make: (tx: Tx) => Promise<NewBroadcast> | NewBroadcast,
): Promise<AcceptedBroadcast> {
  const work = async (tx: Tx, again: boolean) => {
    const { name, replayed } = await bindCall(tx, call, fingerprint, context.now(), id)
    if (replayed || (again && (await findBroadcast(tx, name)))) return { id: name, replayed }
    await insert(context, tx, await make(tx))
    return { id, replayed: false }
  }
  return transact(context.database, work, { repeatable: true })
}
