import { randomBytes } from 'node:crypto'
import { markOf } from '../../../base/db/mark.ts'
import { transact } from '../../../base/db/transact.ts'
import type { FaxUploadRow } from '../../../base/db/tables/requests.ts'
import { measureFax } from '../../../fax/accept/submit.ts'
import type { Upload } from '../../../base/http/handler.ts'
import { Problem } from '../../../base/http/answers/problem.ts'
import { newKey } from '../../../base/storage/keys.ts'
import type { GatewayContext } from '../../../base/context.ts'
import { countUploads, insertUpload } from './store.ts'

const goodMs = 3_600_000
const max = 50

/**
 * Keeps a document for a later request of the same caller.
 * @throws {Problem} saying why it cannot be faxed, or that the caller has too many already; nothing was kept then
 */
export async function keepUpload(
  context: GatewayContext,
  file: Upload,
  callerKeyId: string,
): Promise<FaxUploadRow & { kind: Awaited<ReturnType<typeof measureFax>>['kind'] }> {
  const { database, storage, documents, now } = context
  const { kind, pages } = await measureFax(documents, file, undefined)
  const at = now()
  const hex = randomBytes(16).toString('hex')
  const row: FaxUploadRow = {
    id: `upl_${hex}`,
    caller_key_id: callerKeyId,
    document_key: newKey('uploads', hex, await markOf(database), kind),
    file_name: file.fileName,
    pages,
    size_bytes: file.bytes.length,
    created_at: at.toISOString(),
    expires_at: new Date(at.getTime() + goodMs).toISOString(),
  }
  await storage.put(row.document_key, file.bytes)
  try {
    await transact(database, async (tx) => {
      if ((await countUploads(tx, callerKeyId, at)) >= max) {
        throw new Problem('conflict', `This key has ${max} uploaded documents waiting. Each is deleted after an hour.`)
      }
      await insertUpload(tx, row)
    })
  } catch (error) {
    // After any other failure the commit may have succeeded: a stray document is better than a lost one.
    if (error instanceof Problem) await storage.remove(row.document_key)
    throw error
  }
  return { ...row, kind }
}
