import { hasScope, type InboundFax, type routes } from '@faxdeck/contract'
import type { Webhook } from '@faxdeck/provider-kit'
import type { InboundFaxRow } from '../db/inbound-tables.ts'
import { transact } from '../db/transact.ts'
import type { Call, FileAnswer, Handlers } from '../http/handler.ts'
import { MinuteCounter } from '../http/minute-counter.ts'
import { Problem } from '../http/problem.ts'
import { readCodes } from '../page-text/codes.ts'
import { findFaxes } from '../page-text/find.ts'
import { searchablePdf } from '../page-text/searchable.ts'
import type { InboundDoors } from './doors.ts'
import { inboundWork } from './doors.ts'
import type { InboundRoutes } from './inbound.ts'
import { presentInbound, readCursor, shownKey } from './present.ts'
import { registerWebhook } from './register-webhook.ts'
import { simulateInbound } from './simulate.ts'
import { findInbound, listInboundRows, updateInbound } from './store.ts'

/** Wider pictures than this are read, narrower ones are thumbnails. */
const widestThumbnail = 400

async function faxOf(doors: InboundDoors, id: string): Promise<InboundFaxRow> {
  if (!doors.settings().inbound_enabled) throw new Problem('inbound_disabled')
  const fax = await findInbound(doors.database.db, id)
  if (!fax) throw new Problem('fax_not_found')
  return fax
}

async function present({ database, storage }: InboundDoors, fax: InboundFaxRow): Promise<InboundFax> {
  return presentInbound(fax, storage, (await readCodes(database.db, [fax.id])).get(fax.id))
}

async function list(doors: InboundDoors, call: Call<(typeof routes)['listInbound']>): Promise<InboundFax[]> {
  if (!doors.settings().inbound_enabled) throw new Problem('inbound_disabled')
  const { status, to_number: toNumber, q, cursor, limit } = call.query
  const mayRead = hasScope(call.caller.scopes, 'inbound:read')
  const found = q?.trim() ? await findFaxes(doors.database, 'received', q, mayRead) : undefined
  const after = cursor === undefined ? undefined : readCursor(cursor)
  const rows = await listInboundRows(doors.database.db, {
    limit,
    ...(status ? { status } : {}),
    ...(toNumber ? { toNumber } : {}),
    ...(after ? { after } : {}),
    ...(found ? { ids: found.ids } : {}),
  })
  const codes = await readCodes(doors.database.db, mayRead ? rows.map(({ id }) => id) : [])
  return rows.map((fax) => presentInbound(fax, doors.storage, codes.get(fax.id)))
}

async function servePdf(doors: InboundDoors, fax: InboundFaxRow, keyId: string): Promise<FileAnswer> {
  if (fax.pdf_key === null) throw new Problem('document_not_found')
  const key = fax.pdf_key
  const searchable = await searchablePdf(doors, 'received', fax.id, () => doors.storage.get(key))
  const content = searchable ?? (await doors.storage.open(key)).content
  await doors.events.inboundPdfServed({ job_id: fax.id, backend: fax.provider, key_id: keyId })
  return { content, fileName: `inbound_${fax.id}.pdf` }
}

/** The document as it came, as a PDF: that of a fax whose pages were not changed is the document itself. */
async function serveOriginal(doors: InboundDoors, fax: InboundFaxRow, keyId: string): Promise<FileAnswer> {
  if (fax.original_key === null) return servePdf(doors, fax, keyId)
  const bytes = await doors.storage.get(fax.original_key)
  const content = doors.documents.kind(bytes) === 'tiff' ? await doors.documents.tiffToPdf(bytes) : bytes
  await doors.events.inboundPdfServed({ job_id: fax.id, backend: fax.provider, key_id: keyId })
  return { content, fileName: `inbound_${fax.id}_original.pdf` }
}

async function page(doors: InboundDoors, call: Call<(typeof routes)['getInboundPage']>): Promise<FileAnswer> {
  const fax = await faxOf(doors, call.params.id)
  const key = shownKey(fax)
  if (key === null) throw new Problem('document_not_found')
  const { width } = call.query
  const etag = `"${fax.sha256}-${call.params.page}-${width ?? 'full'}"`
  if (width === undefined || width > widestThumbnail) {
    await doors.events.documentViewed({ job_id: fax.id, key_id: call.caller.keyId, page: call.params.page })
  }
  // The answer becomes a 304: drawing it would be for nothing.
  if (call.headers['if-none-match'] === etag) return { content: Buffer.alloc(0), etag }
  const { fax_paper: paper, fax_resolution: resolution } = doors.settings()
  const options = { paper, resolution, isReceived: true, ...(width === undefined ? {} : { width }) }
  const image = await doors.documents.page(await doors.storage.get(key), call.params.page, options)
  if (!image) throw new Problem('page_not_found')
  return { content: image.png, etag }
}

/** Records the first refusal of a key within a minute: whoever asks on and on does not fill the audit trail. */
async function refuseFetch(doors: InboundDoors, refused: MinuteCounter, id: string, keyId: string): Promise<Problem> {
  const fax = await findInbound(doors.database.db, id)
  if (fax && refused.count(keyId) === 1) {
    const facts = { job_id: id, backend: fax.provider, key_id: keyId, reason: 'inbound_disabled' }
    await doors.events.inboundFetchRefused(facts)
  }
  return new Problem('inbound_disabled')
}

async function fetchAgain(doors: InboundDoors, id: string, keyId: string): Promise<InboundFax> {
  const now = doors.now?.() ?? new Date()
  const fax = await transact(doors.database, async (tx) => {
    const fax = await findInbound(tx, id)
    if (!fax) throw new Problem('fax_not_found')
    if (fax.pdf_key !== null) throw new Problem('conflict', 'The document of this fax is already here.')
    if (fax.source === null && fax.original_key === null) {
      throw new Problem('conflict', 'The provider gave no document with this fax, so there is nothing to fetch.')
    }
    const atOnce = { dueAt: now, hold: false }
    if (fax.status === 'waiting') await doors.queue.settle(tx, inboundWork, [{ subjectId: id, later: atOnce }])
    else await doors.queue.enqueue(tx, [{ kind: inboundWork, subjectId: id, lane: inboundWork, dueAt: now }])
    const at = now.toISOString()
    const change = { status: 'waiting', error: null, fetch_tries: 0, next_try_at: null, updated_at: at } as const
    await updateInbound(tx, id, change)
    await doors.events.inboundFetchRequested({ job_id: id, backend: fax.provider, key_id: keyId }, tx)
    return { ...fax, ...change }
  })
  return presentInbound(fax, doors.storage)
}

function contentTypesOf({ contentTypes }: Webhook) {
  const [preferred] = contentTypes ?? []
  return preferred === undefined ? {} : { content_types: [...(contentTypes ?? [])], preferred_content_type: preferred }
}

function callbacks(doors: InboundDoors, backend: string | undefined) {
  const provider = backend === undefined ? doors.providers.inbound() : doors.providers.find(backend)
  if (!provider) throw new Problem('bad_request', `There is no provider called "${backend}".`)
  const publicUrl = doors.settings().public_api_url.replace(/\/$/, '')
  return {
    backend: provider.id,
    callbacks: provider.webhooks.map((webhook) => ({
      name: `${provider.name} ${webhook.name}`,
      url: webhook.internal ? webhook.path : publicUrl + webhook.path,
      ...(webhook.internal ? { header: 'X-Internal-Secret' } : {}),
      ...contentTypesOf(webhook),
    })),
  }
}

/** The calls about received faxes. */
export function inboundHandlers(doors: InboundDoors): Handlers<InboundRoutes> {
  const refused = new MinuteCounter(() => (doors.now?.() ?? new Date()).getTime())
  return {
    listInbound: (call) => list(doors, call),
    getInbound: async ({ params }) => present(doors, await faxOf(doors, params.id)),
    getInboundOriginal: async (call) => serveOriginal(doors, await faxOf(doors, call.params.id), call.caller.keyId),
    getInboundPdf: async (call) => servePdf(doors, await faxOf(doors, call.params.id), call.caller.keyId),
    getInboundPage: (call) => page(doors, call),
    markInboundRead: async ({ params, body }) => {
      await faxOf(doors, params.id)
      const now = (doors.now?.() ?? new Date()).toISOString()
      await updateInbound(doors.database.db, params.id, { read_at: body.read ? now : null })
      return present(doors, await faxOf(doors, params.id))
    },
    fetchInboundAgain: async ({ params, caller }) => {
      if (!doors.settings().inbound_enabled) throw await refuseFetch(doors, refused, params.id, caller.keyId)
      return fetchAgain(doors, params.id, caller.keyId)
    },
    listCallbacks: ({ query }) => callbacks(doors, query.backend),
    simulateInbound: async ({ body, caller, idempotencyKey, replayed: sayReplayed }) => {
      const { id, replayed } = await simulateInbound(doors, body, { callerKeyId: caller.keyId, idempotencyKey })
      if (replayed) sayReplayed()
      return { ok: true, id, status: 'ok' }
    },
    registerSinchWebhook: ({ caller }) => registerWebhook(doors, caller.keyId),
  }
}
