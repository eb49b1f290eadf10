import { existsSync } from 'node:fs'
import { join } from 'node:path'
import fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import { Problem } from '../../base/http/answers/problem.ts'
import { docsPath } from '../../base/http/base-path.ts'
import type { Feature } from '../../base/feature.ts'

const noPage = 'There is no such page in the documentation. The start page, /docs/latest/, lists all of them.'
const notBuilt = 'The documentation has not been built. Run npm start, which builds it.'

/** Texts that browsers would download, or run as something else. */
function typeOf(path: string): string | undefined {
  if (path.includes('/samples/')) return 'text/plain; charset=utf-8'
  return path.endsWith('.md') ? 'text/markdown; charset=utf-8' : undefined
}

/**
 * Serves the documentation of this version as it was built, without the internet.
 * @param admit throws for a request that may not read it
 */
async function serveDocs(app: FastifyInstance, admit: (request: FastifyRequest) => void, folder: string) {
  for (const path of ['/docs', '/docs/', docsPath]) app.get(path, (_request, reply) => reply.redirect(`${docsPath}/`))
  const isBuilt = existsSync(join(folder, 'index.html'))
  const { fastifyStatic } = await import('@fastify/static')
  await app.register(
    async (scope) => {
      scope.addHook('onRequest', (request, _reply, done) => {
        admit(request)
        done()
      })
      scope.setNotFoundHandler(() => {
        throw new Problem('not_found', isBuilt ? noPage : notBuilt)
      })
      if (!isBuilt) return
      await scope.register(fastifyStatic, {
        root: folder,
        redirect: true,
        cacheControl: false,
        setHeaders: (reply, path) => {
          const type = typeOf(path.slice(folder.length))
          reply.header('cache-control', 'no-cache')
          if (type) reply.header('content-type', type)
        },
      })
    },
    { prefix: docsPath },
  )
}

/**
 * Serves the documentation without a gateway, on a free port of the loopback interface.
 * @param folder it was built into
 */
export async function serveDocsAlone(folder: string): Promise<{ url: string; close: () => Promise<void> }> {
  const app = fastify({ forceCloseConnections: true })
  app.setErrorHandler((error, _request, reply) => {
    const known = error instanceof Problem ? error : new Problem('internal')
    return reply.code(known.status).type('text/plain; charset=utf-8').send(known.message)
  })
  await serveDocs(app, () => undefined, folder)
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  return { url, close: () => app.close() }
}

/**
 * The documentation of this version. Its pages lead to each other by relative addresses, so a proxy may put a path
 * before them.
 * @param folder it was built into
 */
export const createDocs = (folder: string) =>
  ({
    name: 'docs',
    serve: ({ app, guards }) => serveDocs(app, (request) => guards.checkLocal(guards.originOf(request)), folder),
  }) satisfies Feature
