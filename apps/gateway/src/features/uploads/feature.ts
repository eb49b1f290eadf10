import type { GatewayContext } from '../../base/context.ts'
import type { Feature } from '../../base/feature.ts'
import { Problem } from '../../base/http/answers/problem.ts'
import { expireUploads } from './expire.ts'
import { keepUpload } from './keep.ts'
import { documentOf, type Given } from './read.ts'

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
    /** The document of a request: the one it brings, or one that its caller has uploaded before. */
    documentOf: (given: Given) => documentOf(context, given),
  }) satisfies Feature & Record<string, unknown>
