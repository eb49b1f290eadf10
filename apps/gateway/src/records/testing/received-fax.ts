import { randomBytes } from 'node:crypto'
import type { GatewayContext } from '../../context.ts'
import type { InboundFaxRow } from '../../db/tables/inbound.ts'
import { transact } from '../../db/transact.ts'
import { insertInbound } from '../../inbound/store.ts'

/** A received fax with a document of its own. */
export async function addReceived(context: GatewayContext, change: Partial<InboundFaxRow> = {}): Promise<string> {
  const id = randomBytes(16).toString('hex')
  const at = context.now().toISOString()
  const key = `inbound/${id.slice(0, 2)}/${id}.pdf`
  await context.storage.put(key, Buffer.from(`%PDF-1.4 received ${id}`))
  const row: InboundFaxRow = {
    id,
    provider: 'made',
    provider_id: id,
    from_number: '+15555550188',
    to_number: '+15555550100',
    status: 'received',
    pages: 2,
    size_bytes: 8,
    sha256: 'cd'.repeat(32),
    pdf_key: key,
    original_key: null,
    source: null,
    notification: null,
    error: null,
    concern: null,
    broke_off: null,
    page_notes: null,
    call_record: null,
    is_test: 0,
    fetch_tries: 0,
    next_try_at: null,
    read_at: null,
    received_at: at,
    created_at: at,
    updated_at: at,
    group_id: null,
    ...change,
  }
  await transact(context.database, (tx) => insertInbound(tx, row))
  return id
}
