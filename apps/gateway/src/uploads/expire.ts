import type { UploadDoors } from './doors.ts'
import { listOverdue, removeUpload } from './store.ts'

const atOnce = 100

/** Removes documents whose hour is over. The document goes first: a crash between leaves something to remove again. */
export async function expireUploads(doors: UploadDoors): Promise<void> {
  const { database, storage, now } = doors
  const overdue = await listOverdue(database.db, now(), atOnce)
  for (const { id, document_key: key } of overdue) {
    await storage.remove(key)
    await removeUpload(database.db, id)
  }
  if (overdue.length === atOnce) await expireUploads(doors)
}
