import fastify from 'fastify'
import { Problem } from '../../base/http/answers/problem.ts'
import { createLibrary } from './library.ts'
import { serveDocs } from './routes.ts'

/**
 * Serves the documentation without a gateway, on a free port of the loopback interface.
 * @param root the checkout
 */
export async function serveDocsAlone(root: string): Promise<{ url: string; close: () => Promise<void> }> {
  const app = fastify({ forceCloseConnections: true })
  app.setErrorHandler((error, _request, reply) => {
    const known = error instanceof Problem ? error : new Problem('internal')
    return reply.code(known.status).type('text/plain; charset=utf-8').send(known.message)
  })
  await serveDocs(app, () => undefined, createLibrary(root), { root, basePath: '' })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  return { url, close: () => app.close() }
}
