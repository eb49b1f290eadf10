import { openApiDocument } from '@faxdeck/contract/openapi'
import type { Feature } from '../../base/feature.ts'
import { sendTagged } from '../../base/http/answers/answer.ts'

/** GET /openapi.json: the API of this version. It holds no data; who may administer may read it without a key. */
export function createOpenApi(version: string) {
  let document: string | undefined
  return {
    name: 'openapi',
    serve: ({ app, guards }) => {
      app.get('/openapi.json', async (request, reply) => {
        guards.checkLocal(guards.originOf(request))
        document ??= JSON.stringify(openApiDocument(version))
        return sendTagged(document, request, reply.type('application/json').header('cache-control', 'no-cache'))
      })
    },
  } satisfies Feature
}
