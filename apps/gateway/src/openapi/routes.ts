import { openApiDocument } from '@faxdeck/contract/openapi'
import type { FastifyInstance } from 'fastify'
import type { Guards } from '../http/guards.ts'

/** GET /openapi.json: the API of this version. It holds no data; who may administer may read it without a key. */
export function serveOpenApi(app: FastifyInstance, guards: Guards, version: string): void {
  let document: string | undefined
  app.get('/openapi.json', async (request, reply) => {
    guards.checkLocal(guards.originOf(request))
    document ??= JSON.stringify(openApiDocument(version))
    return reply.type('application/json').header('cache-control', 'no-cache').send(document)
  })
}
