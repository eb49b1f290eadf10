import type { GatewayContext } from '../context.ts'
import { listOverdue, removeUpload } from './store.ts'

const atOnce = 100

/** Removes documents whose hour is over. The document goes first: a crash between leaves something to remove again. */
export async function expireUploads(context: GatewayContext): Promise<void> {
  const { database, storage, now } = context
  const overdue = await listOverdue(database.db, now(), atOnce)
  for (const { id, document_key: key } of overdue) {
    await storage.remove(key)
    await removeUpload(database.db, id)
  }
  if (overdue.length === atOnce) await expireUploads(context)
}
