import type { InboundFax } from '@faxdeck/contract'
import type { InboundFaxRow } from '../../base/db/tables/inbound.ts'
import { presentNotes } from '../../paper/pages/page-notes.ts'
import { readCall } from '../../fax/calls/stored-call.ts'
import { writeCursor } from '../../base/http/answers/cursor.ts'
import type { Storage } from '../../base/storage/storage.ts'

const isPart = ({ status, pdf_key }: InboundFaxRow) => status === 'failed' && pdf_key !== null

/** A received fax as the wire shows it. @param storage knows which documents are missing */
export function presentInbound(
  fax: InboundFaxRow,
  { isMissing }: Pick<Storage, 'isMissing'>,
  codes: InboundFax['codes'] = [],
): InboundFax {
  const missing = fax.pdf_key !== null && isMissing?.(fax.pdf_key) === true
  return {
    id: fax.id,
    fr: fax.from_number,
    to: fax.to_number,
    status: fax.status,
    backend: fax.provider,
    provider_sid: fax.provider_id,
    pages: fax.pages,
    size_bytes: fax.size_bytes,
    sha256: fax.sha256,
    error: fax.error,
    concern: fax.concern,
    notice: fax.concern === null ? null : fax.notification,
    page_notes: presentNotes(fax),
    // Of a call that broke off, what is kept may be a part that looks like the whole.
    needs_attention: (fax.concern !== null || isPart(fax)) && fax.read_at === null,
    codes,
    call: readCall(fax),
    is_test: fax.is_test === 1,
    group_id: fax.group_id,
    read_at: fax.read_at,
    document_kept: fax.pdf_key !== null && !missing,
    document_missing: missing,
    next_try_at: fax.next_try_at,
    received_at: fax.received_at,
    created_at: fax.created_at,
    updated_at: fax.updated_at,
    cursor: writeCursor({ value: fax.received_at, id: fax.id }),
  }
}
