import type { ReceivedFax, routes } from '@faxdeck/contract'
import { randomUUID } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { namesOfGroups } from '../../access/groups/group-of.ts'
import { recordInboundDownload } from '../../access/record-view.ts'
import type { GatewayContext } from '../../base/context.ts'
import type { InboundFaxRow } from '../../base/db/tables/inbound.ts'
import { readCursor, writeCursor } from '../../base/http/answers/cursor.ts'
import { Problem } from '../../base/http/answers/problem.ts'
import type { Call, Caller, FileAnswer, Handlers } from '../../base/http/handler.ts'
import { spellNumber } from '../../base/number.ts'
import { requireDataDirectory, scratchIn } from '../../base/settings/data-directory.ts'
import { endOf } from '../../fax/read/job-filter.ts'
import { readCodes } from '../../paper/page-text/codes.ts'
import { readText } from '../../paper/page-text/plain-text.ts'
import { shownKey } from '../../paper/pages/page-notes.ts'
import { openPdf, zipInbound } from './download.ts'
import { presentInbound } from './present.ts'
import { removeDocument } from './remove-document.ts'
import { faxOf, filterOf, ownFaxOf, requireReceiving } from './routes.ts'
import { listInboundRows, updateInbound } from './store.ts'

/** The order of places is not that of the list of people. */
const oldestFirst = 'oldest '
const cursorOf = ({ place, id }: Pick<InboundFaxRow, 'place' | 'id'>) =>
  place === null ? null : writeCursor({ value: place, id }, oldestFirst)

/**
 * Received faxes as programs see them, in their order.
 * @param mayRead whether they may know the codes, which are part of what a page says
 */
export async function presentReceived(
  { database, storage }: GatewayContext,
  faxes: readonly InboundFaxRow[],
  mayRead: boolean,
): Promise<ReceivedFax[]> {
  const codes = await readCodes(database.db, mayRead ? faxes.map(({ id }) => id) : [])
  const groups = await namesOfGroups(
    database.db,
    faxes.map(({ group_id: id }) => id),
  )
  return faxes.map((fax) => {
    const {
      fr: from,
      is_test: test,
      group_id: id,
      cursor: _,
      ...common
    } = presentInbound(fax, storage, codes.get(fax.id))
    const name = id === null ? undefined : groups.get(id)
    const self = `/received/${fax.id}`
    return {
      ...common,
      from,
      test,
      group: id === null || name === undefined ? null : { id, name },
      cursor: fax.status === 'waiting' ? null : cursorOf(fax),
      links: { self, document: common.document_kept ? `${self}/document` : null },
    }
  })
}

async function presentOne(context: GatewayContext, fax: InboundFaxRow): Promise<ReceivedFax> {
  const [presented] = await presentReceived(context, [fax], true)
  if (!presented) throw new Problem('fax_not_found')
  return presented
}

/** A place in the order in which faxes were complete. @throws {Problem} `bad_request` */
function readPlace(cursor: string) {
  const place = readCursor(cursor, oldestFirst)
  if (/^\d{1,15}$/.test(place.value)) return place
  throw new Problem('bad_request', 'This cursor does not belong to this list. Start again without a cursor.')
}

async function list(context: GatewayContext, { query, caller }: Call<(typeof routes)['listReceived']>) {
  const { status, to: to_number, from, group, q, unread, since, until, order, limit, cursor } = query
  const isOldestFirst = order === 'oldest'
  if (isOldestFirst && [status].flat().includes('waiting'))
    throw new Problem(
      'bad_request',
      'Faxes that are waiting have no place in order=oldest. List them with order=newest.',
    )
  const { filter, mayRead } = await filterOf(context, { query: { status, to_number, group, q, unread }, caller })
  const after = cursor === undefined ? undefined : isOldestFirst ? readPlace(cursor) : readCursor(cursor)
  const rows = await listInboundRows(context.database.db, {
    ...filter,
    ...(from ? { fromNumber: spellNumber(from, context.settings.current().default_country) } : {}),
    ...(since ? { since: new Date(since).toISOString() } : {}),
    ...(until ? { before: endOf(until) } : {}),
    ...(after ? { after } : {}),
    isOldestFirst,
    limit: limit + 1,
  })
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const next = last && (isOldestFirst ? cursorOf(last) : writeCursor({ value: last.received_at, id: last.id }))
  return {
    faxes: await presentReceived(context, shown, mayRead),
    next_cursor: rows.length > limit ? (next ?? null) : null,
  }
}

async function asTiff(context: GatewayContext, fax: InboundFaxRow): Promise<Uint8Array> {
  const { fax_paper: paper, fax_resolution: resolution } = context.settings.current()
  await requireDataDirectory(context.directory)
  const path = join(scratchIn(context.directory), `${randomUUID()}.tiff`)
  try {
    await context.documents.toTiff(await context.storage.get(fax.pdf_key ?? ''), path, { paper, resolution })
    return await readFile(path)
  } finally {
    await rm(path, { force: true })
  }
}

/** A document in the form that was asked for. Its download is recorded before it is handed out. */
async function serveDocument(
  context: GatewayContext,
  fax: InboundFaxRow,
  { format, keyId }: { format: 'pdf' | 'tiff' | 'original' | 'text'; keyId: string },
): Promise<FileAnswer> {
  const name = `received_${fax.id}`
  if (format === 'pdf') return { content: await openPdf(context, fax, keyId), fileName: `${name}.pdf` }
  const key = format === 'original' ? (fax.original_key ?? fax.pdf_key) : shownKey(fax)
  if (key === null) throw new Problem('document_not_found')
  const record = () => recordInboundDownload(context, { job_id: fax.id, backend: fax.provider, key_id: keyId })
  if (format === 'text') {
    const content = Buffer.from(await readText(context.database.db, 'received', fax.id))
    await record()
    return { content, kind: 'text', fileName: `${name}.txt` }
  }
  const stored = await context.storage.get(fax.original_key ?? key)
  const isTiff = context.documents.kind(stored) === 'tiff'
  const content = format === 'original' || isTiff ? stored : await asTiff(context, fax)
  await record()
  return isTiff || format === 'tiff'
    ? { content, kind: 'tiff', fileName: `${name}.tiff` }
    : { content, fileName: `${name}.pdf` }
}

async function shown(context: GatewayContext, call: { params: { id: string }; caller: Caller }): Promise<ReceivedFax> {
  return presentOne(context, await ownFaxOf(context, call))
}

/** The calls about received faxes for programs. They show and change what those of people do. */
export function receivedHandlers(context: GatewayContext) {
  return {
    listReceived: (call) => list(context, call),
    getReceived: async (call) => presentOne(context, await faxOf(context, call)),
    getReceivedDocument: async (call) => {
      const fax = await faxOf(context, call)
      return serveDocument(context, fax, { format: call.query.format, keyId: call.caller.keyId })
    },
    markReceivedRead: async (call) => {
      const { id } = await ownFaxOf(context, call)
      await updateInbound(context.database.db, id, { read_at: call.body.read ? context.now().toISOString() : null })
      return shown(context, call)
    },
    deleteReceived: async (call) => {
      await removeDocument(context, await ownFaxOf(context, call), call.caller.keyId)
      return shown(context, call)
    },
    archiveReceived: ({ body: { ids }, caller }) => {
      requireReceiving(context)
      return zipInbound(context, ids, caller)
    },
  } satisfies Partial<Handlers>
}
