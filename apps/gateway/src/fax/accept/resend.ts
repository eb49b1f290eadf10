import { hash, randomBytes } from 'node:crypto'
import type { ResendChoice } from '@faxdeck/contract'
import type { FaxJobRow } from '../../base/db/tables/tables.ts'
import { Problem } from '../../base/http/answers/problem.ts'
import type { Tx } from '../../base/db/database.ts'
import { transact } from '../../base/db/transact.ts'
import { type Accepted, acceptInside, untried } from './accept.ts'
import { advance, type Within } from '../move/advance.ts'
import type { GatewayContext } from '../../base/context.ts'
import { checkIdempotencyKey, type KeyedCall } from '../facts/idempotency.ts'
import { requireJob } from '../facts/find-job.ts'
import { isTestFax } from '../../base/providers/test-line.ts'
import { readCopies, resendRefusalOf } from '../read/copies.ts'
import { findFirstAnswer } from './submit.ts'
import { assertLikely } from './unlikely.ts'

/** Sending again what was delivered in part, or may have been, means that a person has looked at it. */
async function noteSeen(
  context: GatewayContext,
  { id, phase, attempt_id: attemptId }: FaxJobRow,
  by: string,
): Promise<void> {
  if ((phase !== 'partial' && phase !== 'incomplete') || attemptId === null) return
  const outcome = phase === 'partial' ? 'failed' : 'delivered'
  await advance(context, id, { to: 'resolved', attemptId, outcome, by })
}

/** The fax that all copies of a fax go back to. */
async function findFirstOf(tx: Tx, { id, parent_id: parentId }: FaxJobRow): Promise<string> {
  if (parentId === null) return id
  const first = await tx
    .withRecursive('line(id, parent_id)', (step) =>
      step
        .selectFrom('fax_jobs')
        .select(['id', 'parent_id'])
        .where('id', '=', id)
        .union(
          step
            .selectFrom('line')
            .innerJoin('fax_jobs as job', 'job.id', 'line.parent_id')
            .select(['job.id', 'job.parent_id']),
        ),
    )
    .selectFrom('line')
    .select('id')
    .where('parent_id', 'is', null)
    .executeTakeFirst()
  return first?.id ?? id
}

/** Locks the row of a fax until the transaction ends; returns whether its document is still there. */
async function lockDocument(tx: Tx, id: string): Promise<boolean> {
  const locked = await tx
    .updateTable('fax_jobs')
    .set((eb) => ({ document_key: eb.ref('document_key') }))
    .where('id', '=', id)
    .returning('document_key')
    .executeTakeFirst()
  return typeof locked?.document_key === 'string'
}

/**
 * Keeps the document of a fax until the transaction ends: an expiry at the same moment waits, and finds the new fax then.
 * The first of its copies is locked before it, so that two people who send two of the copies again wait for each other.
 * @throws {Problem} `document_not_found` when it is gone
 */
async function holdDocument(tx: Tx, parent: FaxJobRow): Promise<void> {
  const first = await findFirstOf(tx, parent)
  if (first !== parent.id) await lockDocument(tx, first)
  if (!(await lockDocument(tx, parent.id))) throw new Problem('document_not_found')
}

/**
 * Refuses what a person has to be asked about, and what was sent again since an act on many faxes began. Whoever sends
 * the same at once waits for the document, and finds the copy then.
 * @throws {Problem} `already_delivered`, `already_under_way`, `number_failed`, `conflict`
 */
async function refuseUnasked(
  context: GatewayContext,
  tx: Tx,
  parent: FaxJobRow,
  { force, unlessSince: since }: { force: boolean | undefined; unlessSince: string | undefined },
): Promise<void> {
  const copies = (await readCopies(context, tx, [parent.id])).get(parent.id) ?? []
  if (since !== undefined && copies.some((copy) => copy.parent_id === parent.id && copy.created_at >= since))
    throw new Problem('conflict', 'This fax was sent again meanwhile.')
  const refusal = resendRefusalOf(parent, isTestFax(context.providers, parent), copies)
  if (refusal !== null && !force) throw new Problem(refusal)
}

/** The row of the new fax. @throws {Problem} `provider_not_configured` */
function copyOf(
  { providers, now }: GatewayContext,
  parent: FaxJobRow,
  choice: Pick<FaxJobRow, 'unreadable' | 'caller_key_id'>,
) {
  const provider = providers.outbound()
  providers.line(provider.id)
  return {
    ...parent,
    ...untried(now().toISOString()),
    id: randomBytes(16).toString('hex'),
    backend: provider.id,
    is_test: Number(providers.isTestAccount(provider.id)),
    ...choice,
    parent_id: parent.id,
    // It is counted where it failed; sent again, it stands by itself.
    broadcast_id: null,
  } as const
}

interface ResendCall extends KeyedCall {
  /** Only if nobody has sent it again since then: of an act on many faxes, whoever began it knows nothing of others. */
  unlessSince?: string
  /** Done in the transaction that makes the new fax. */
  within?: Within
}

/**
 * Sends a fax that has ended again: a new job that names it as its parent and shares its document.
 * @param choice how pages that lose writing are sent, as before without it; whether an unlikely number is meant; whether it is sent
 * although somebody should be asked first
 * @throws {Problem} `idempotency_conflict`, `conflict` while it is under way, `document_not_found` once the document was removed,
 * `number_unlikely`, what `refuseUnasked` throws, what `within` returns
 */
export async function resendFax(
  context: GatewayContext,
  id: string,
  call: ResendCall,
  { unreadable, allow_unlikely_number: allowsUnlikely, force }: ResendChoice = {},
): Promise<Accepted> {
  const { callerKeyId: by, idempotencyKey: key, unlessSince, within } = call
  checkIdempotencyKey(key)
  const fingerprint = hash('sha256', `send again\0${id}${unreadable ?? ''}`)
  const first = await findFirstAnswer(context, { ...call, fingerprint })
  if (first) return first
  const parent = await requireJob(context, id)
  if (parent.finished_at === null) throw new Problem('conflict', 'The fax is still in progress.')
  if (parent.document_key === null) throw new Problem('document_not_found')
  await assertLikely(context, parent.to_number, allowsUnlikely)
  const row = copyOf(context, parent, { unreadable: unreadable ?? parent.unreadable, caller_key_id: by })
  const idempotency = key === undefined ? {} : { idempotency: { key, fingerprint } }
  const made = transact(
    context.database,
    async (tx, again) => {
      await holdDocument(tx, parent)
      if (!again) await refuseUnasked(context, tx, parent, { force, unlessSince })
      const refusal = await within?.(tx)
      if (refusal) throw refusal
      return acceptInside(context, tx, { row, sentence: 'Sent again.', ...idempotency }, again)
    },
    { repeatable: true },
  )
  // The copy that it was refused for may be that of the same call, made at the same time.
  const accepted = await made.catch(async (error: unknown) => {
    const first = await findFirstAnswer(context, { ...call, fingerprint })
    if (!first) throw error
    return first
  })
  const { job, replayed } = accepted
  if (!replayed) {
    await noteSeen(context, parent, by)
    await context.events.jobResent({ job_id: job.id, backend: job.backend, key_id: by, parent_id: parent.id })
  }
  return accepted
}
