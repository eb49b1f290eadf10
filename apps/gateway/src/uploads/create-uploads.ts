import type { Handlers, Upload } from '../http/handler.ts'
import { Problem } from '../http/problem.ts'
import type { UploadDoors } from './doors.ts'
import { expireUploads } from './expire.ts'
import { keepUpload } from './keep.ts'
import { documentOf } from './read.ts'

/** Documents that come before their fax, put together. */
export interface Uploads {
  handlers: Handlers<'uploadDocument'>
  /** The document of a request: the one it brings, or one that was uploaded. */
  documentOf: (given: Parameters<typeof documentOf>[1]) => Promise<Upload>
  expire: () => Promise<void>
}

export function createUploads(doors: UploadDoors): Uploads {
  return {
    handlers: {
      uploadDocument: async ({ file, caller }) => {
        if (!file) throw new Problem('file_missing')
        const { id, kind, pages, size_bytes, expires_at } = await keepUpload(doors, file, caller.keyId)
        return { id, kind, pages, size_bytes, expires_at }
      },
    },
    documentOf: (given) => documentOf(doors, given),
    expire: () => expireUploads(doors),
  }
}
