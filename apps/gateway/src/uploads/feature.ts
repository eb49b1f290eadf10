import type { GatewayContext } from '../context.ts'
import type { Feature } from '../feature.ts'
import { Problem } from '../http/answers/problem.ts'
import { expireUploads } from './expire.ts'
import { keepUpload } from './keep.ts'

/** Keeps documents for an hour that come before their fax. */
export const createUploads = (context: GatewayContext) =>
  ({
    name: 'uploads',
    routes: {
      uploadDocument: async ({ file, caller }) => {
        if (!file) throw new Problem('file_missing')
        const { id, kind, pages, size_bytes, expires_at } = await keepUpload(context, file, caller.keyId)
        return { id, kind, pages, size_bytes, expires_at }
      },
    },
    expire: (now = context.now) => expireUploads({ ...context, now }),
  }) satisfies Feature
