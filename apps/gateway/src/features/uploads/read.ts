import type { Upload } from '../../base/http/handler.ts'
import { Problem } from '../../base/http/answers/problem.ts'
import type { GatewayContext } from '../../base/context.ts'
import { findUpload } from './store.ts'

export interface Given {
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
