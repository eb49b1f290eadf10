import { updateInbound, listExpired } from './store.ts'
import type { InboundDoors } from './doors.ts'

const day = 24 * 3_600_000
const atOnce = 100

/**
 * Removes the documents of faxes older than INBOUND_RETENTION_DAYS (0 keeps them); their details stay.
 * Documents go before the record says so: a crash between leaves something to remove again, never a forgotten document.
 */
export async function expireInbound(doors: InboundDoors): Promise<void> {
  const { inbound_retention_days: days } = doors.settings()
  if (days === 0) return
  const now = doors.now?.() ?? new Date()
  const before = new Date(now.getTime() - days * day).toISOString()
  for (;;) {
    const faxes = await listExpired(doors.database.db, before, atOnce)
    for (const fax of faxes) {
      for (const key of [fax.pdf_key, fax.original_key]) if (key) await doors.storage.remove(key)
      await updateInbound(doors.database.db, fax.id, {
        pdf_key: null,
        original_key: null,
        updated_at: now.toISOString(),
      })
    }
    await doors.events.inboundDeleted(faxes.map(({ id, provider }) => ({ job_id: id, backend: provider })))
    if (faxes.length < atOnce) return
  }
}
