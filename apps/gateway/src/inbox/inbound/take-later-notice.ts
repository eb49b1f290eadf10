import type { IncomingFax } from '@faxdeck/provider-kit'
import type { Updateable } from 'kysely'
import { transactTogether } from '../../base/db/commit-group.ts'
import type { Tx } from '../../base/db/database.ts'
import type { InboundFaxRow } from '../../base/db/tables/inbound.ts'
import type { Tables } from '../../base/db/tables/tables.ts'
import { ofTest } from '../../base/providers/test-line.ts'
import type { GatewayContext } from '../../base/context.ts'
import { keepPushedDocument } from './keep-document.ts'
import { inboundWork } from './store.ts'

type Change = Updateable<Tables['inbound_faxes']>

/** Whether a later notice says in known words how a fax ended that was unclear. */
const settlesConcern = ({ concern, read_at }: InboundFaxRow, { state }: IncomingFax) =>
  concern !== null && read_at === null && state !== 'unclear'

/**
 * Whether the document of a later notice is the first that can be read. What was pushed and cannot be read is kept as
 * it came, unless the provider now makes clear what was not. A hash stands for a document that was removed since.
 */
const isNews = (known: InboundFaxRow, { document }: IncomingFax, settles: boolean) =>
  document !== null && known.status === 'failed' && known.sha256 === null && (settles || known.original_key === null)

/** What the later notice brings, as the row has it while the document is got. */
async function beginWith(context: GatewayContext, id: string, { document }: IncomingFax): Promise<Change> {
  const begin = { status: 'waiting', error: null, fetch_tries: 0 } as const
  if (document !== null && 'fetch' in document) return { ...begin, source: document.fetch, original_key: null }
  return { ...begin, original_key: await keepPushedDocument(context, id, document) }
}

/** Writes what a notice changed, unless another one was faster. */
async function write(tx: Tx, { id, status, concern }: InboundFaxRow, change: Change): Promise<boolean> {
  const known = tx.updateTable('inbound_faxes').set(change).where('id', '=', id).where('status', '=', status)
  const same = concern === null ? known.where('concern', 'is', null) : known.where('concern', '=', concern)
  return (await same.executeTakeFirst()).numUpdatedRows > 0n
}

/** How the fax ended by both notices: one that is unclear takes nothing back. */
function brokeOffBy({ state, sentence }: IncomingFax, known: InboundFaxRow): string | null {
  if (state === 'unclear') return known.broke_off
  return state === 'failed' ? (sentence ?? 'The call ended before the fax was complete.') : null
}

/**
 * Takes what a later notice of a fax says beyond the first: how it ended, where that was unclear, and its document,
 * where none has come so far. If a person has already read the fax, its concern stays, because they judged the fax by it.
 */
export async function takeLaterNotice(context: GatewayContext, known: InboundFaxRow, fax: IncomingFax): Promise<void> {
  const settles = settlesConcern(known, fax)
  const begins = isNews(known, fax, settles)
  if (!settles && !begins) return
  const { id, provider, concern } = known
  const brokeOff = brokeOffBy(fax, known)
  const isFailure = brokeOff !== null && known.status === 'received'
  const change: Change = {
    ...(settles ? { concern: null } : {}),
    broke_off: brokeOff,
    updated_at: context.now().toISOString(),
    ...(begins ? await beginWith(context, id, fax) : {}),
    ...(isFailure ? { status: 'failed', error: brokeOff } : {}),
  }
  const written = await transactTogether(context.database, async (tx) => {
    if (!(await write(tx, known, change))) return false
    if (begins) await context.queue.enqueue(tx, [{ kind: inboundWork, subjectId: id, lane: inboundWork }])
    await context.database.signals.notify(tx, 'inbound')
    if (settles && concern !== null)
      await context.events.inboundSettled({ job_id: id, backend: provider, concern, status: fax.state }, tx)
    const test = ofTest(known.is_test === 1)
    if (isFailure) await context.events.inboundFailed({ job_id: id, backend: provider, error: brokeOff, ...test }, tx)
    return true
  })
  if (!written && change.original_key) await context.storage.remove(change.original_key)
}
