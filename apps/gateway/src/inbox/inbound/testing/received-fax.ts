import { randomBytes } from 'node:crypto'
import type { GatewayContext } from '../../../base/context.ts'
import type { InboundFaxRow } from '../../../base/db/tables/inbound.ts'
import { transact } from '../../../base/db/transact.ts'
import { insertInbound } from '../store.ts'

type Known = Pick<InboundFaxRow, 'id' | 'received_at'> & Partial<InboundFaxRow>

/** The row of a received fax, without a document unless one is named. */
export const receivedRow = (change: Known): InboundFaxRow => ({
  provider: 'made',
  provider_id: change.id,
  from_number: '+15555550188',
  to_number: '+15555550100',
  status: 'received',
  pages: 2,
  size_bytes: 8,
  sha256: 'cd'.repeat(32),
  pdf_key: null,
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
  created_at: change.received_at,
  updated_at: change.received_at,
  group_id: null,
  place: null,
  ...change,
})

/** A received fax with a document of its own. */
export async function addReceived(context: GatewayContext, change: Partial<InboundFaxRow> = {}): Promise<string> {
  const id = randomBytes(16).toString('hex')
  const key = `inbound/${id.slice(0, 2)}/${id}.pdf`
  await context.storage.put(key, Buffer.from(`%PDF-1.4 received ${id}`))
  const row = receivedRow({ id, received_at: context.now().toISOString(), pdf_key: key, ...change })
  await transact(context.database, (tx) => insertInbound(tx, row))
  return id
}
