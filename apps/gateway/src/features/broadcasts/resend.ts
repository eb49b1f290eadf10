import { hash, randomBytes } from 'node:crypto'
import type { InputOf, Routes } from '@faxdeck/contract'
import type { GatewayContext } from '../../base/context.ts'
import type { Reader, Tx } from '../../base/db/database.ts'
import type { BroadcastRow } from '../../base/db/tables/broadcasts.ts'
import { untried } from '../../fax/accept/accept.ts'
import { checkIdempotencyKey, type KeyedCall, newCallName } from '../../fax/facts/idempotency.ts'
import { hasNoFax } from '../../fax/read/copies.ts'
import { Problem } from '../../base/http/answers/problem.ts'
import { acceptBroadcast, type AcceptedBroadcast, findFirst, type NewBroadcast } from './accept.ts'
import { assertRecipientsLikely } from './plan.ts'
import { failedFaxes, lockBroadcast } from './store.ts'

/** The failed faxes of a broadcast, with whom they are for, in the order of its list. */
const readFailed = (db: Reader, id: string) =>
  failedFaxes(db, id)
    .innerJoin('broadcast_recipients as recipient', 'recipient.job_id', 'job.id')
    .selectAll('job')
    .select(['recipient.n', 'recipient.name'])
    .orderBy('recipient.n')
    .execute()

type Choice = InputOf<Routes['resendBroadcast']>['body']

/** Keeps the document until the transaction ends: an expiry at the same moment waits, and finds the new faxes then. */
const holdDocuments = (tx: Tx, id: string) =>
  tx
    .updateTable('fax_jobs')
    .set((eb) => ({ document_key: eb.ref('document_key') }))
    .where('broadcast_id', '=', id)
    .where('document_key', 'is not', null)
    .execute()

async function makeAgain(
  context: GatewayContext,
  tx: Tx,
  { parent, id, by, force }: { parent: BroadcastRow; id: string; by: string; force: boolean },
): Promise<NewBroadcast> {
  // Whoever does the same at once waits here, and finds the faxes sent again then.
  await lockBroadcast(context.database, tx, parent.id)
  await holdDocuments(tx, parent.id)
  const failed = await readFailed(tx, parent.id)
  if (failed.length === 0) throw new Problem('conflict', 'There is no failed fax left to send again.')
  const kept = failed.filter(({ document_key: key }) => key !== null)
  if (kept.length === 0) throw new Problem('document_not_found')
  const meant = kept.filter((job) => force || !hasNoFax(job))
  if (meant.length === 0) throw new Problem('number_failed')
  const provider = context.providers.outbound()
  context.providers.line(provider.id)
  const at = context.now().toISOString()
  const faxes = meant.map(({ name, n: _, ...job }) => ({
    job: {
      row: {
        ...job,
        ...untried(at),
        id: randomBytes(16).toString('hex'),
        backend: provider.id,
        is_test: Number(context.providers.isTestAccount(provider.id)),
        caller_key_id: by,
        parent_id: job.id,
        broadcast_id: id,
      },
      sentence: 'Sent again with the failed faxes of a broadcast.',
    },
    name,
  }))
  const row = {
    ...parent,
    id,
    caller_key_id: by,
    backend: provider.id,
    faxes: faxes.length,
    duplicates: 0,
    refused: '[]',
    parent_id: parent.id,
    paused_at: null,
    cancelled_at: null,
    cancelled_by: null,
    created_at: at,
  }
  return { row, faxes }
}

/**
 * Sends the failed faxes of a broadcast again, as a new broadcast that shares its document. Never to a number that was
 * delivered, or may have been: those did not fail. Nor, without `force`, to one that has no fax.
 * @throws {Problem} `conflict` when there is none, `number_failed` when only those are left, `document_not_found`, `idempotency_conflict`, or about the provider
 */
export async function resendBroadcast(
  context: GatewayContext,
  parent: BroadcastRow,
  call: KeyedCall,
  { allow_unlikely_number: allowsUnlikely = false, force = false }: Choice = {},
): Promise<AcceptedBroadcast> {
  checkIdempotencyKey(call.idempotencyKey)
  const fingerprint = hash('sha256', `send the failed again\0${parent.id}`)
  const before = await findFirst(context, call, fingerprint)
  if (before) return before
  if (!allowsUnlikely) {
    const meant = (await readFailed(context.database.db, parent.id)).filter((job) => force || !hasNoFax(job))
    await assertRecipientsLikely(
      context,
      meant.map(({ n: row, to_number: to }) => ({ row, to })),
    )
  }
  const id = newCallName()
  const again = { parent, id, by: call.callerKeyId, force }
  return acceptBroadcast(context, { call, fingerprint, id }, (tx) => makeAgain(context, tx, again))
}
