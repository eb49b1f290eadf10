import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { sendTagged } from '../../base/http/answers/answer.ts'
import { Problem } from '../../base/http/answers/problem.ts'
import type { Feature } from '../../base/feature.ts'

const types: Readonly<Record<string, string>> = { '.tgz': 'application/gzip', '.whl': 'application/zip' }
const notBuilt = 'The client libraries have not been built. Run npm start, which builds them.'

/**
 * GET /downloads/<file>: the client libraries and their checksums. Anybody who reaches the gateway may have them, as
 * npm and pip send no key: they are public, and hold nothing of this installation.
 * @param folder of the archives
 */
export const createDownloads = (folder: string) =>
  ({
    name: 'downloads',
    serve: ({ app }: { app: FastifyInstance }) => {
      app.get<{ Params: { name: string } }>('/downloads/:name', async (request, reply) => {
        const { name } = request.params
        const names = (await readdir(folder).catch(() => [])).filter((each) => !each.startsWith('.'))
        if (names.length === 0) throw new Problem('not_found', notBuilt)
        if (!names.includes(name))
          throw new Problem('not_found', `There is no such file. There are ${names.join(', ')}.`)
        void reply.type(types[extname(name)] ?? 'text/plain; charset=utf-8').header('cache-control', 'no-cache')
        return sendTagged(await readFile(join(folder, name)), request, reply)
      })
    },
  }) satisfies Feature
