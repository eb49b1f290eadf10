import { Buffer } from 'node:buffer'
import type { InboundFax } from '@faxdeck/contract'
import type { InboundFaxRow } from '../db/tables/inbound.ts'
import { presentNotes } from '../faxes/line/page-notes.ts'
import { readCall } from '../calls/stored-call.ts'
import { Problem } from '../http/answers/problem.ts'
import type { Storage } from '../storage/storage.ts'

/** The place of a fax in the list, newest first. */
function cursorOf(fax: Pick<InboundFaxRow, 'received_at' | 'id'>): string {
  return Buffer.from(`${fax.received_at} ${fax.id}`).toString('base64url')
}

/** @throws {Problem} `bad_request` when it is not ours */
export function readCursor(cursor: string): { receivedAt: string; id: string } {
  const [receivedAt, id] = Buffer.from(cursor, 'base64url').toString().split(' ')
  if (!receivedAt || !id || !/^[0-9a-f]{32}$/.test(id)) {
    throw new Problem('bad_request', 'This cursor does not belong to this list. Start again without a cursor.')
  }
  return { receivedAt, id }
}

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
    needs_attention: fax.concern !== null && fax.read_at === null,
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
    cursor: cursorOf(fax),
  }
}

/** The document whose pages are shown and read: as it came, unless its pages were tidied. */
export function shownKey(fax: Pick<InboundFaxRow, 'original_key' | 'pdf_key' | 'page_notes'>): string | null {
  const isTidied = presentNotes(fax).some(({ kind }) => kind === 'tidied')
  return isTidied ? fax.pdf_key : (fax.original_key ?? fax.pdf_key)
}
