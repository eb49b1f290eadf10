import type { GatewayContext } from '../../../base/context.ts'
import { Problem } from '../../../base/http/answers/problem.ts'
import { keepUpload } from './keep.ts'
import { transact } from '../../../base/db/transact.ts'
import { lockHolds } from '../../../paper/retention/held.ts'
import { finishRemovals, recordRemoval } from '../../../paper/retention/removals.ts'
import { listOverdue, removeUpload, findUpload } from './store.ts'
import type { Handlers, Upload } from '../../../base/http/handler.ts'

interface Given {
  file: Upload | undefined
  uploadId: string | undefined
  callerKeyId: string
}

/**
 * The document of a request: the one it brings, or the one that the same caller has uploaded before.
 * @throws {Problem} `file_missing`, `bad_request` when there are two, `upload_not_found` also for what is another's
 */
export async function documentOf(context: GatewayContext, { file, uploadId, callerKeyId }: Given): Promise<Upload> {
  if (uploadId === undefined) {
    if (!file)
      throw new Problem('file_missing', 'Attach the document in a form field named "file", or give an upload_id.')
    return file
  }
  if (file) throw new Problem('bad_request', 'Give the document itself or an upload_id, not both.')
  const upload = await findUpload(context.database.db, uploadId, callerKeyId, context.now())
  if (!upload) throw new Problem('upload_not_found')
  return { fileName: upload.file_name, bytes: await context.storage.get(upload.document_key) }
}

const atOnce = 100

/** Removes documents whose hour is over, if no hold keeps them. The documents themselves go once that is committed. */
export async function expireUploads(context: GatewayContext): Promise<void> {
  const { database, now } = context
  const overdue = await listOverdue(database.db, now(), atOnce)
  for (const { id, document_key: key } of overdue) {
    await transact(database, async (tx) => {
      await lockHolds(tx, database.engine, 'shared')
      if (await removeUpload(tx, id)) await recordRemoval(tx, [key], now())
    })
  }
  await finishRemovals(context)
  if (overdue.length === atOnce) await expireUploads(context)
}

/** Keeps a document for an hour that comes before its fax. */
export const uploadHandlers = (context: GatewayContext) =>
  ({
    uploadDocument: async ({ file, caller }) => {
      if (!file) throw new Problem('file_missing')
      const { id, kind, pages, size_bytes, expires_at } = await keepUpload(context, file, caller.keyId)
      return { id, kind, pages, size_bytes, expires_at }
    },
  }) satisfies Partial<Handlers>
