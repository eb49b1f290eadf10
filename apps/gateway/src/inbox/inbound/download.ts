import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { maxJoinedMegabytes } from '@faxdeck/contract'
import type { GatewayContext } from '../../base/context.ts'
import type { InboundFaxRow } from '../../base/db/tables/inbound.ts'
import { isVisible, visibleReceived } from '../../access/visible.ts'
import { begunStream } from '../../base/http/answers/begun-stream.ts'
import type { Caller, FileAnswer } from '../../base/http/handler.ts'
import { Problem } from '../../base/http/answers/problem.ts'
import { ZipWriter } from '../../base/http/answers/zip-writer.ts'
import { findInbounds } from './store.ts'
import { recordInboundDownload } from '../../access/record-view.ts'
import { searchablePdf } from '../../paper/page-text/searchable.ts'

/**
 * The document of a received fax, with the text recognized on its pages, for whoever downloads it. That it was served
 * is recorded first.
 * @param webhook that brings it
 * @throws {Problem} `document_not_found`
 */
export async function openPdf(
  context: GatewayContext,
  fax: InboundFaxRow,
  keyId: string,
  webhook?: string,
): Promise<Uint8Array | Readable> {
  if (fax.pdf_key === null) throw new Problem('document_not_found')
  const key = fax.pdf_key
  const searchable = await searchablePdf(context, 'received', fax.id, () => context.storage.get(key))
  const content = searchable ?? (await context.storage.open(key)).content
  await recordInboundDownload(context, {
    ...{ job_id: fax.id, backend: fax.provider, key_id: keyId },
    ...(webhook === undefined ? {} : { webhook }),
  })
  return content
}

const namesOf = (ids: readonly string[]) => {
  const names = ids.slice(0, 3).map((id) => id.slice(0, 8))
  return ids.length > names.length ? `${names.join(', ')} and ${ids.length - names.length} more` : names.join(', ')
}

/** @throws {Problem} when one is not there or has no document: a download that leaves one out would say that it has all */
async function faxesOf(
  { database, storage }: GatewayContext,
  asked: readonly string[],
  caller: Caller,
): Promise<InboundFaxRow[]> {
  const ids = [...new Set(asked)]
  const visible = visibleReceived(caller)
  const faxes = (await findInbounds(database.db, ids)).filter((fax) => isVisible(visible, fax))
  const known = new Set(faxes.map(({ id }) => id))
  const unknown = ids.filter((id) => !known.has(id))
  if (unknown.length > 0) throw new Problem('fax_not_found', `No fax has this ID: ${namesOf(unknown)}.`)
  const without = faxes.filter(({ pdf_key: key }) => key === null || storage.isMissing?.(key) === true)
  if (without.length > 0) {
    const which = namesOf(without.map(({ id }) => id))
    throw new Problem(
      'document_not_found',
      `The document of ${which} is no longer stored. Download the others without it.`,
    )
  }
  return faxes
}

async function readPdf(context: GatewayContext, fax: InboundFaxRow, keyId: string): Promise<Buffer> {
  const content = await openPdf(context, fax, keyId)
  return content instanceof Readable ? buffer(content) : Buffer.from(content)
}

const megabytes = (bytes: number) => (bytes / 1024 / 1024).toFixed(1)

/** The documents of several received faxes as one PDF. */
export async function joinInbound(
  context: GatewayContext,
  ids: readonly string[],
  caller: Caller,
): Promise<FileAnswer> {
  const faxes = await faxesOf(context, ids, caller)
  const bytes = faxes.reduce((sum, { size_bytes: size }) => sum + (size ?? 0), 0)
  if (bytes > maxJoinedMegabytes * 1024 * 1024) {
    const limit = `One PDF can hold ${maxJoinedMegabytes} MB`
    throw new Problem('too_large', `These faxes add up to ${megabytes(bytes)} MB. ${limit}. Download them as a zip.`)
  }
  const pdfs: Uint8Array[] = []
  for (const fax of faxes) pdfs.push(await readPdf(context, fax, caller.keyId))
  return { content: await context.documents.joinPdfs(pdfs), fileName: `inbound_${faxes.length}_faxes.pdf` }
}

/** `20261122T181243Z_inbound_3f2a….pdf`: in a folder they stand in the order of their arrival. */
const entryName = ({ id, received_at: at }: InboundFaxRow) =>
  `${at.slice(0, 19).replace(/[-:]/g, '')}Z_inbound_${id}.pdf`

/** Written document after document, as fast as it is taken. PDFs are compressed already: they are stored. */
async function* zipOf(context: GatewayContext, faxes: readonly InboundFaxRow[], keyId: string) {
  const zip = new ZipWriter()
  for (const fax of faxes) {
    const pdf = await readPdf(context, fax, keyId)
    yield* await zip.add(entryName(fax), pdf, new Date(fax.received_at), true)
  }
  yield* zip.end()
}

/** The documents of several received faxes as a zip of PDFs. What fails later than the first cuts the answer off. */
export async function zipInbound(context: GatewayContext, ids: readonly string[], caller: Caller): Promise<FileAnswer> {
  const faxes = await faxesOf(context, ids, caller)
  const content = await begunStream(zipOf(context, faxes, caller.keyId))
  return { content, fileName: `inbound_${faxes.length}_faxes.zip` }
}
