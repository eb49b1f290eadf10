import type { Feature } from '../../base/feature.ts'
import { createLibrary, type Library } from './library.ts'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { Problem } from '../../base/http/answers/problem.ts'
import { layOut, resultsOf } from './layout.ts'
import { docsPath } from '../../base/http/base-path.ts'

const noPage = 'There is no such page in the documentation. The start page, /docs/latest/, lists all of them.'
const style = readFileSync(new URL('docs.css', import.meta.url), 'utf8')

/** Every address in a page begins with a slash. */
const under = (basePath: string, page: string) =>
  basePath === '' ? page : page.replace(/ (href|src|action)="\/(?!\/)/g, ` $1="${basePath}/`)

const html = (reply: FastifyReply) => reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache')

/**
 * Serves the documentation of this version, without the internet.
 * @param admit throws for a request that may not read it
 */
async function serveDocs(
  app: FastifyInstance,
  admit: (request: FastifyRequest) => void,
  library: Library,
  { root, basePath }: { root: string; basePath: string },
): Promise<void> {
  for (const path of ['/docs', '/docs/', docsPath]) app.get(path, (_request, reply) => reply.redirect(`${docsPath}/`))
  await app.register(async (scope) => {
    scope.addHook('onRequest', (request, _reply, done) => {
      admit(request)
      done()
    })
    scope.get(`${docsPath}/docs.css`, (_request, reply) => reply.type('text/css').send(style))
    scope.get<{ Params: { topic: string } }>(`${docsPath}/anchors/:topic.json`, async ({ params }, reply) => {
      const anchors = await library.anchors(params.topic)
      if (!anchors) throw new Problem('not_found', noPage)
      return reply.header('cache-control', 'no-cache').send(anchors)
    })
    scope.get<{ Params: { name: string } }>(`${docsPath}/screenshots/:name`, async ({ params }, reply) => {
      if (!/^[\w-]+\.png$/.test(params.name)) throw new Problem('not_found', noPage)
      const picture = await readFile(join(root, 'docs/screenshots', params.name)).catch(() => undefined)
      if (!picture) throw new Problem('not_found', noPage)
      return reply.type('image/png').send(picture)
    })
    scope.get<{ Params: { '*': string } }>(`${docsPath}/samples/*`, async ({ params }, reply) => {
      const sample = await library.sample(params['*'])
      if (sample === undefined) throw new Problem('not_found', noPage)
      return reply.type('text/plain; charset=utf-8').send(sample)
    })
    scope.get<{ Querystring: { q?: string | string[] } }>(`${docsPath}/search`, async ({ query }, reply) => {
      const words = [query.q ?? ''].flat().join(' ').slice(0, 100)
      const content = resultsOf(words, await library.search(words))
      const page = layOut({ title: 'Search', content, chapters: await library.chapters(), words })
      return html(reply).send(under(basePath, page))
    })
    scope.get<{ Params: { '*': string } }>(`${docsPath}/*`, async ({ params }, reply) => {
      const path = params['*'].replace(/\/$/, '')
      const page = await library.page(path)
      if (!page) throw new Problem('not_found', noPage)
      if (path !== '' && !params['*'].endsWith('/')) return reply.redirect(`${docsPath}/${path}/`)
      const chapters = await library.chapters()
      return html(reply).send(under(basePath, layOut({ title: page.title, content: page.html, chapters, path })))
    })
  })
}

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

/**
 * The documentation of this version.
 * @param root the checkout it lies in
 * @param basePath what a proxy puts before every path; empty for nothing
 */
export const createDocs = (root: string, basePath = '') =>
  ({
    name: 'docs',
    serve: ({ app, guards }) =>
      serveDocs(app, (request) => guards.checkLocal(guards.originOf(request)), createLibrary(root), { root, basePath }),
  }) satisfies Feature
