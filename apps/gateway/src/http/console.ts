import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Guards } from './guards.ts'
import { Problem } from './problem.ts'
import { allowScripts } from './protective-headers.ts'

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

/** The page of the built console; undefined when it has not been built. */
async function readPage(directory: string): Promise<string | undefined> {
  try {
    return await readFile(join(directory, 'index.html'), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** What a policy says to let the scripts written into a page run, and no other: CSP 3, section 2.3.1, hash-source. */
function hashesOf(page: string): string[] {
  const scripts = [...page.matchAll(/<script>(.*?)<\/script>/gs)]
  return scripts.map(([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`)
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
    const page = await readPage(directory)
    if (page === undefined) {
      scope.get(`${consolePath}*`, () => {
        throw new Problem('not_found', notBuilt)
      })
      return
    }
    const hashes = hashesOf(page)
    scope.addHook('onRequest', (_request, reply, done) => {
      allowScripts(reply, hashes)
      done()
    })
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
