import { updateInbound, listExpired } from './store.ts'
import type { GatewayContext } from '../context.ts'

const day = 24 * 3_600_000
const atOnce = 100

/**
 * Removes the documents of faxes older than INBOUND_RETENTION_DAYS (0 keeps them); their details stay.
 * Documents go before the record says so: a crash between leaves something to remove again, never a forgotten document.
 */
export async function expireInbound(context: GatewayContext): Promise<void> {
  const { inbound_retention_days: days } = context.settings.current()
  if (days === 0) return
  const now = context.now()
  const before = new Date(now.getTime() - days * day).toISOString()
  for (;;) {
    const faxes = await listExpired(context.database.db, before, atOnce)
    for (const fax of faxes) {
      for (const key of [fax.pdf_key, fax.original_key]) if (key) await context.storage.remove(key)
      await updateInbound(context.database.db, fax.id, {
        pdf_key: null,
        original_key: null,
        updated_at: now.toISOString(),
      })
    }
    await context.events.inboundDeleted(faxes.map(({ id, provider }) => ({ job_id: id, backend: provider })))
    if (faxes.length < atOnce) return
  }
}
