import type { InboundFax, routes } from '@faxdeck/contract'
import type { Webhook } from '@faxdeck/provider-kit'
import type { InboundFaxRow } from '../../base/db/tables/inbound.ts'
import { transact } from '../../base/db/transact.ts'
import { recordInboundDownload, recordNumberShown, recordView } from '../../access/record-view.ts'
import type { Call, Caller, FileAnswer, Handlers } from '../../base/http/handler.ts'
import { MinuteCounter } from '../../base/http/callers/minute-counter.ts'
import { readCursor } from '../../base/http/answers/cursor.ts'
import { Problem } from '../../base/http/answers/problem.ts'
import { spellNumber } from '../../base/number.ts'
import { isReadableReceived, isVisible, visibleReceived } from '../../access/visible.ts'
import { readOpenings } from '../../access/groups/break-glass.ts'
import { readCodes } from '../../paper/page-text/codes.ts'
import { showPageTexts } from '../../paper/page-text/plain-text.ts'
import { findFaxes } from '../../paper/page-text/find.ts'
import type { GatewayContext } from '../../base/context.ts'
import { joinInbound, zipInbound, openPdf } from './download.ts'
import { shownKey } from '../../paper/pages/page-notes.ts'
import { presentInbound } from './present.ts'
import { registerWebhook } from './register-webhook.ts'
import { simulateInbound } from './simulate.ts'
import {
  countInboundRows,
  findInbound,
  type InboundFilter,
  inboundWork,
  listInboundRows,
  markAllRead,
  markRead,
  maxCounted,
  updateInbound,
} from './store.ts'

export function requireReceiving({ settings }: GatewayContext): void {
  if (!settings.current().inbound_enabled) throw new Problem('inbound_disabled')
}

interface Of {
  params: { id: string }
  caller: Caller
}

/** A received fax that the caller may read. What is not there and what they may not see are answered alike. */
export async function faxOf(context: GatewayContext, { params, caller }: Of): Promise<InboundFaxRow> {
  requireReceiving(context)
  const fax = await findInbound(context.database.db, params.id)
  if (!fax || !isReadableReceived(caller, fax)) throw new Problem('fax_not_found')
  return fax
}

/** One that the caller may change as well, which a reason alone does not open. */
export async function ownFaxOf(context: GatewayContext, of: Of): Promise<InboundFaxRow> {
  const fax = await faxOf(context, of)
  if (!isVisible(visibleReceived(of.caller), fax)) throw new Problem('fax_not_found')
  return fax
}

async function present({ database, storage }: GatewayContext, fax: InboundFaxRow): Promise<InboundFax> {
  return presentInbound(fax, storage, (await readCodes(database.db, [fax.id])).get(fax.id))
}

interface Asked {
  query: Pick<Call<(typeof routes)['listInbound']>['query'], 'status' | 'to_number' | 'group' | 'q' | 'unread'>
  caller: Caller
}

/** The filter that was asked for; `isMinimum` when a search may not have found everything. */
export async function filterOf(context: GatewayContext, { query, caller }: Asked) {
  requireReceiving(context)
  const { status, to_number: toNumber, group, q, unread } = query
  const visible = visibleReceived(caller)
  const mayRead = caller.permissions.has('read_received')
  const found = q?.trim()
    ? await findFaxes(context.database, 'received', q, { visible, mayReadText: mayRead })
    : undefined
  const filter: InboundFilter = {
    visible,
    unread: unread === 'true',
    ...(group ? { group } : {}),
    ...(status ? { status } : {}),
    ...(toNumber ? { toNumber: spellNumber(toNumber, context.settings.current().default_country) } : {}),
    ...(found ? { ids: found.ids } : {}),
  }
  return { filter, isMinimum: found?.isMinimum ?? false, mayRead }
}

async function count(context: GatewayContext, asked: Asked) {
  const { filter, isMinimum } = await filterOf(context, asked)
  const counted = await countInboundRows(context.database.db, filter)
  return { total: Math.min(counted, maxCounted), total_is_minimum: isMinimum || counted > maxCounted }
}

async function list(context: GatewayContext, call: Call<(typeof routes)['listInbound']>): Promise<InboundFax[]> {
  const { filter, mayRead } = await filterOf(context, call)
  const { cursor, limit } = call.query
  const after = cursor === undefined ? undefined : readCursor(cursor)
  const rows = await listInboundRows(context.database.db, { limit, ...filter, ...(after ? { after } : {}) })
  const codes = await readCodes(context.database.db, mayRead ? rows.map(({ id }) => id) : [])
  return rows.map((fax) => presentInbound(fax, context.storage, codes.get(fax.id)))
}

async function servePdf(context: GatewayContext, fax: InboundFaxRow, keyId: string): Promise<FileAnswer> {
  return { content: await openPdf(context, fax, keyId), fileName: `inbound_${fax.id}.pdf` }
}

/** The document as it came, as a PDF: byte for byte where a PDF came. */
async function serveOriginal(context: GatewayContext, fax: InboundFaxRow, keyId: string): Promise<FileAnswer> {
  const key = fax.original_key ?? fax.pdf_key
  if (key === null) throw new Problem('document_not_found')
  const bytes = await context.storage.get(key)
  const content = context.documents.kind(bytes) === 'tiff' ? await context.documents.tiffToPdf(bytes) : bytes
  await recordInboundDownload(context, { job_id: fax.id, backend: fax.provider, key_id: keyId })
  return { content, fileName: `inbound_${fax.id}_original.pdf` }
}

async function page(context: GatewayContext, call: Call<(typeof routes)['getInboundPage']>): Promise<FileAnswer> {
  const fax = await faxOf(context, call)
  const key = shownKey(fax)
  if (key === null) throw new Problem('document_not_found')
  const { width } = call.query
  const etag = `"${fax.sha256}-${call.params.page}-${width ?? 'full'}"`
  const view = { job_id: fax.id, key_id: call.caller.keyId, page: call.params.page, width }
  // The answer becomes a 304: drawing it would be for nothing.
  if (call.headers['if-none-match'] === etag) {
    await recordView(context, view)
    return { content: Buffer.alloc(0), etag }
  }
  const { fax_paper: paper, fax_resolution: resolution } = context.settings.current()
  const options = { paper, resolution, isReceived: true, ...(width === undefined ? {} : { width }) }
  const image = await context.documents.page(await context.storage.get(key), call.params.page, options)
  if (!image) throw new Problem('page_not_found')
  await recordView(context, view)
  return { content: image.png, etag }
}

/** Records the first refusal of a key within a minute, so that repeated requests do not fill the audit trail. */
async function refuseFetch(
  context: GatewayContext,
  refused: MinuteCounter,
  id: string,
  keyId: string,
): Promise<Problem> {
  const fax = await findInbound(context.database.db, id)
  if (fax && refused.count(keyId) === 1) {
    const facts = { job_id: id, backend: fax.provider, key_id: keyId, reason: 'inbound_disabled' }
    await context.events.inboundFetchRefused(facts)
  }
  return new Problem('inbound_disabled')
}

async function fetchAgain(context: GatewayContext, id: string, keyId: string): Promise<InboundFax> {
  const now = context.now()
  const fax = await transact(context.database, async (tx) => {
    const fax = await findInbound(tx, id)
    if (!fax) throw new Problem('fax_not_found')
    if (fax.pdf_key !== null) throw new Problem('conflict', 'The document of this fax has already been received.')
    if (fax.source === null && fax.original_key === null) {
      throw new Problem('conflict', 'The provider sent no document with this fax, so there is nothing to fetch.')
    }
    const later = { hold: false }
    if (fax.status === 'waiting') await context.queue.settle(tx, inboundWork, [{ subjectId: id, later }])
    else await context.queue.enqueue(tx, [{ kind: inboundWork, subjectId: id, lane: inboundWork }])
    const at = now.toISOString()
    const change = { status: 'waiting', error: null, fetch_tries: 0, next_try_at: null, updated_at: at } as const
    await updateInbound(tx, id, change)
    await context.events.inboundFetchRequested({ job_id: id, backend: fax.provider, key_id: keyId }, tx)
    return { ...fax, ...change }
  })
  return presentInbound(fax, context.storage)
}

function contentTypesOf({ contentTypes }: Webhook) {
  const [preferred] = contentTypes ?? []
  return preferred === undefined ? {} : { content_types: [...(contentTypes ?? [])], preferred_content_type: preferred }
}

function callbacks(context: GatewayContext, backend: string | undefined) {
  const provider = backend === undefined ? context.providers.inbound() : context.providers.find(backend)
  if (!provider) throw new Problem('bad_request', `There is no provider called "${backend}".`)
  const publicUrl = context.settings.current().public_api_url.replace(/\/$/, '')
  // The first is what programs of the predecessor take for received faxes.
  const receivingFirst = [...provider.webhooks].sort(
    (one, other) => Number(one.purpose === 'status') - Number(other.purpose === 'status'),
  )
  return {
    backend: provider.id,
    callbacks: receivingFirst.map((webhook) => ({
      name: `${provider.name} ${webhook.name}`,
      url: webhook.internal ? webhook.path : publicUrl + webhook.path,
      ...(webhook.internal ? { header: 'X-Internal-Secret' } : {}),
      ...contentTypesOf(webhook),
    })),
  }
}

/** What is done with many received faxes at once. */
function manyHandlers(context: GatewayContext) {
  return {
    markManyInboundRead: async ({ body: { ids, read }, caller }) => {
      requireReceiving(context)
      const readAt = read ? context.now().toISOString() : null
      return { changed: await markRead(context.database.db, { ids, visible: visibleReceived(caller) }, readAt) }
    },
    markAllInboundRead: async ({ body: { until }, caller }) => {
      requireReceiving(context)
      const readAt = context.now().toISOString()
      return { changed: await markAllRead(context.database.db, { until, visible: visibleReceived(caller) }, readAt) }
    },
    downloadInboundPdf: ({ body: { ids }, caller }) => {
      requireReceiving(context)
      return joinInbound(context, ids, caller)
    },
    downloadInboundZip: ({ body: { ids }, caller }) => {
      requireReceiving(context)
      return zipInbound(context, ids, caller)
    },
  } satisfies Partial<Handlers>
}

/** The calls about received faxes. */
export function inboundHandlers(context: GatewayContext) {
  const refused = new MinuteCounter(context.now)
  return {
    ...manyHandlers(context),
    listInbound: (call) => list(context, call),
    getInbound: async (call) => {
      const fax = await present(context, await faxOf(context, call))
      return { ...fax, ...(await readOpenings(context.database.db, fax.id)) }
    },
    getInboundOriginal: async (call) => serveOriginal(context, await faxOf(context, call), call.caller.keyId),
    getInboundPdf: async (call) => servePdf(context, await faxOf(context, call), call.caller.keyId),
    getInboundPage: (call) => page(context, call),
    getInboundText: async (call) => {
      const fax = await faxOf(context, call)
      if (shownKey(fax) === null) throw new Problem('document_not_found')
      return showPageTexts(context, 'received', { id: fax.id, keyId: call.caller.keyId })
    },
    showInboundNumbers: async (call) => {
      const { id, from_number: fr, to_number: to } = await faxOf(context, call)
      await recordNumberShown(context, { job_id: id, key_id: call.caller.keyId })
      return { fr, to }
    },
    markInboundRead: async (call) => {
      await ownFaxOf(context, call)
      const read_at = call.body.read ? context.now().toISOString() : null
      await updateInbound(context.database.db, call.params.id, { read_at })
      return present(context, await ownFaxOf(context, call))
    },
    countInbound: (call) => count(context, call),
    fetchInboundAgain: async ({ params, caller }) => {
      if (!context.settings.current().inbound_enabled)
        throw await refuseFetch(context, refused, params.id, caller.keyId)
      return fetchAgain(context, params.id, caller.keyId)
    },
    listCallbacks: ({ query }) => callbacks(context, query.backend),
    simulateInbound: async ({ body, caller, idempotencyKey, replayed: sayReplayed }) => {
      const { id, replayed } = await simulateInbound(context, body, { callerKeyId: caller.keyId, idempotencyKey })
      if (replayed) sayReplayed()
      return { ok: true, id, status: 'ok' }
    },
    registerSinchWebhook: ({ caller }) => registerWebhook(context, caller.keyId),
  } satisfies Partial<Handlers>
}
