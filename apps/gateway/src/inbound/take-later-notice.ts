import type { IncomingFax } from '@faxdeck/provider-kit'
import type { Updateable } from 'kysely'
import { transactTogether } from '../db/commit-group.ts'
import type { Tx } from '../db/database.ts'
import type { InboundFaxRow } from '../db/tables/inbound.ts'
import type { Tables } from '../db/tables/tables.ts'
import type { GatewayContext } from '../context.ts'
import { keepPushedDocument } from './keep-document.ts'
import { inboundWork, updateInbound } from './store.ts'

type Change = Updateable<Tables['inbound_faxes']>

/** What the later notice brings, where there was no document so far that can be read, and none is being fetched. */
async function documentOf(context: GatewayContext, known: InboundFaxRow, { document }: IncomingFax): Promise<Change> {
  const isMissing = known.status === 'failed' && known.pdf_key === null
  if (!isMissing || document === null) return {}
  const begin = { status: 'waiting', error: null, fetch_tries: 0 } as const
  if ('fetch' in document) return { ...begin, source: document.fetch, original_key: null }
  return { ...begin, original_key: await keepPushedDocument(context, known.id, document) }
}

async function fetchNow(context: GatewayContext, tx: Tx, id: string): Promise<void> {
  await context.queue.enqueue(tx, [{ kind: inboundWork, subjectId: id, lane: inboundWork }])
}

/**
 * A later notice says in known words how a fax ended that was unclear. What a person has read keeps its concern: they
 * have judged the fax by it.
 */
export async function settleConcern(context: GatewayContext, known: InboundFaxRow, fax: IncomingFax): Promise<void> {
  const { id, provider, concern } = known
  if (concern === null || known.read_at !== null || fax.state === 'unclear') return
  const now = context.now()
  const brokeOff = fax.state === 'failed' ? (fax.sentence ?? 'The call ended before the fax was complete.') : null
  const document = await documentOf(context, known, fax)
  const isFailure = brokeOff !== null && known.status === 'received'
  const change: Change = { concern: null, broke_off: brokeOff, updated_at: now.toISOString(), ...document }
  await transactTogether(context.database, async (tx) => {
    await updateInbound(tx, id, isFailure ? { ...change, status: 'failed', error: brokeOff } : change)
    if (document.status === 'waiting') await fetchNow(context, tx, id)
    await context.database.signals.notify(tx, 'inbound')
    await context.events.inboundSettled({ job_id: id, backend: provider, concern, status: fax.state }, tx)
    if (isFailure) await context.events.inboundFailed({ job_id: id, backend: provider, error: brokeOff }, tx)
  })
}
