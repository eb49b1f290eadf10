import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Guards } from './callers/guards.ts'
import { Problem } from './answers/problem.ts'

/** Where the console is served. */
export const consolePath = '/admin-demo/'
const notBuilt = 'The console has not been built. Run npm start, which builds it, or npm run build in apps/console.'
const aYear = 31_536_000

/** Files whose name holds a hash of their content never change. */
function cacheControl(path: string): string {
  return /[/\\]assets[/\\][^/\\]+-[\w-]{8,}\.\w+(\.br|\.gz)?$/.test(path)
    ? `public, max-age=${aYear}, immutable`
    : 'no-cache'
}

/** Serves the built console to those who may administer, and sends visitors of `/` there. */
export async function serveConsole(app: FastifyInstance, guards: Guards, directory: string): Promise<void> {
  app.get('/', (_request, reply) => reply.redirect(consolePath))
  app.get(consolePath.slice(0, -1), (_request, reply) => reply.redirect(consolePath))
  await app.register(async (scope) => {
    scope.addHook('onRequest', (request, _reply, done) => {
      guards.checkLocal(guards.originOf(request))
      done()
    })
    if (!existsSync(join(directory, 'index.html'))) {
      scope.get(`${consolePath}*`, () => {
        throw new Problem('not_found', notBuilt)
      })
      return
    }
    const { fastifyStatic } = await import('@fastify/static')
    await scope.register(fastifyStatic, {
      root: directory,
      prefix: consolePath,
      preCompressed: true,
      cacheControl: false,
      setHeaders: (reply, path) => void reply.header('cache-control', cacheControl(path)),
    })
  })
}
