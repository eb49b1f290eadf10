import { randomUUID } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { GatewayContext } from '../../base/context.ts'
import type { FaxJobRow } from '../../base/db/tables/tables.ts'
import type { FileAnswer } from '../../base/http/handler.ts'
import { requireDataDirectory, scratchIn } from '../../base/settings/data-directory.ts'
import { Problem } from '../../base/http/answers/problem.ts'
import { coverOf } from '../../paper/pages/cover.ts'
import { headerOf } from '../../paper/pages/header-values.ts'
import { presentNotes } from '../../paper/pages/page-notes.ts'

/** The bytes as they were sent in. @throws {Problem} `document_not_found` once they were removed */
export async function readDocument({ storage }: GatewayContext, job: FaxJobRow): Promise<Buffer> {
  if (job.document_key === null) throw new Problem('document_not_found')
  return storage.get(job.document_key)
}

/** Whether the PDF of a job is what was sent in, so that nothing needs to be drawn. One that is damaged is repaired. */
export const isStoredPdf = (job: FaxJobRow): boolean =>
  job.document_kind === 'pdf' && job.cover === null && !presentNotes(job).some(({ kind }) => kind === 'repaired')

/** The document as a PDF, whatever was sent in, behind its cover page. */
export async function readPdf(context: GatewayContext, job: FaxJobRow): Promise<Uint8Array> {
  const bytes = await readDocument(context, job)
  if (isStoredPdf(job)) return bytes
  return context.documents.toPdf(bytes, { paper: context.settings.current().fax_paper, cover: coverOf(job) })
}

/**
 * The fax as it goes or went over the line: every page in black and white, behind its cover page and with the header line
 * of its last attempt, as a PDF. The pages are on disk only while they are put together.
 */
export async function readAsSent(context: GatewayContext, job: FaxJobRow): Promise<Uint8Array> {
  const { fax_paper: paper, fax_resolution: resolution } = context.settings.current()
  await requireDataDirectory(context.directory)
  const path = join(scratchIn(context.directory), `${randomUUID()}.tiff`)
  try {
    const options = { paper, resolution, tones: job.tones, header: headerOf(job), cover: coverOf(job) }
    await context.documents.toTiff(await readDocument(context, job), path, options)
    return await context.documents.tiffToPdf(await readFile(path))
  } finally {
    await rm(path, { force: true })
  }
}

/**
 * One page as it is or was faxed, with the header line it was sent with. If the caller already has this picture, it is
 * not drawn again.
 */
export async function readPage(
  context: GatewayContext,
  job: FaxJobRow,
  page: number,
  width: number | undefined,
  known: string | undefined,
): Promise<FileAnswer & { content: Uint8Array }> {
  const { fax_paper: paper, fax_resolution: resolution } = context.settings.current()
  const { tones } = job
  const header = headerOf(job)
  const drawn = `${paper}-${resolution}-${tones}-${header ? job.attempt_id : 'plain'}`
  const etag = `"${job.document_sha256}-${drawn}-${page}-${width ?? 'full'}"`
  if (job.document_key !== null && known === etag) return { content: Buffer.alloc(0), etag }
  const options = { paper, resolution, tones, header, cover: coverOf(job), ...(width === undefined ? {} : { width }) }
  const image = await context.documents.page(await readDocument(context, job), page, options)
  if (!image) throw new Problem('page_not_found')
  return { content: image.png, etag }
}
