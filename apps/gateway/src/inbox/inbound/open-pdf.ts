import type { Readable } from 'node:stream'
import type { InboundFaxRow } from '../../base/db/tables/inbound.ts'
import { recordInboundDownload } from '../../access/record-view.ts'
import { Problem } from '../../base/http/answers/problem.ts'
import { searchablePdf } from '../../paper/page-text/searchable.ts'
import type { GatewayContext } from '../../base/context.ts'

/**
 * The document of a received fax, with the text recognized on its pages, for whoever downloads it. That it was served
 * is recorded first.
 * @throws {Problem} `document_not_found`
 */
export async function openPdf(
  context: GatewayContext,
  fax: InboundFaxRow,
  keyId: string,
): Promise<Uint8Array | Readable> {
  if (fax.pdf_key === null) throw new Problem('document_not_found')
  const key = fax.pdf_key
  const searchable = await searchablePdf(context, 'received', fax.id, () => context.storage.get(key))
  const content = searchable ?? (await context.storage.open(key)).content
  await recordInboundDownload(context, { job_id: fax.id, backend: fax.provider, key_id: keyId })
  return content
}
