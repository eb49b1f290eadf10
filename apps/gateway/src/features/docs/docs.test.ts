import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import fastify from 'fastify'
import { describe, expect, it, onTestFinished } from 'vitest'
import { redirectUnder, withoutBasePath } from '../../base/http/base-path.ts'
import { Problem } from '../../base/http/answers/problem.ts'
import { createDocs } from './feature.ts'

type Served = Parameters<ReturnType<typeof createDocs>['serve']>[0]

const built = {
  'index.html': '<h1>Documentation</h1>',
  'security/index.html': '<h1>Security</h1>',
  'security.md': '# Security',
  'page.js': 'export {}',
  'samples/sip/asterisk/dialplan.xml': '<dialplan/>',
}

/** Documentation in a folder of its own, for callers of this machine. */
async function open(files: Record<string, string>, basePath = '') {
  const folder = mkdtempSync(join(tmpdir(), 'faxdeck-docs-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  const app = fastify({ rewriteUrl: withoutBasePath(basePath) })
  app.setErrorHandler((error, _request, reply) => {
    return reply.code(error instanceof Problem ? error.status : 500).send(String(error))
  })
  redirectUnder(app, basePath)
  const checkLocal = (address: string) => {
    if (address !== '127.0.0.1') throw new Problem('admin_local_only')
  }
  const guards = { originOf: ({ ip }: { ip: string }) => ip, checkLocal } as unknown as Served['guards']
  await createDocs(folder).serve({ app, guards } as unknown as Served)
  return (url: string, remoteAddress = '127.0.0.1') => app.inject({ url, remoteAddress })
}

describe('the documentation', () => {
  it('is served as it was built, to this machine only', async () => {
    const ask = await open(built)
    const here = await ask('/docs/latest/security/')
    expect([here.statusCode, here.headers['content-type'], here.body]).toEqual([
      200,
      'text/html; charset=utf-8',
      '<h1>Security</h1>',
    ])
    for (const path of ['', 'security/', 'nothing/'])
      expect((await ask(`/docs/latest/${path}`, '192.0.2.7')).statusCode, path).toBe(403)
  })

  it.each(['', '/faxdeck'])(
    'leads addresses without their last slash, and /docs, to the page below %j',
    async (base) => {
      const ask = await open(built, base)
      for (const [from, to] of [
        ['/docs', '/docs/latest/'],
        ['/docs/latest', '/docs/latest/'],
        ['/docs/latest/security', '/docs/latest/security/'],
      ] as const) {
        expect((await ask(base + from)).headers.location).toBe(base + to)
      }
    },
  )

  it('hands out Markdown and samples as text that a browser runs nothing of', async () => {
    const ask = await open(built)
    const typeOf = async (path: string) => (await ask(`/docs/latest/${path}`)).headers['content-type']
    expect(await typeOf('security.md')).toBe('text/markdown; charset=utf-8')
    expect(await typeOf('samples/sip/asterisk/dialplan.xml')).toBe('text/plain; charset=utf-8')
    expect(await typeOf('page.js')).toContain('javascript')
  })

  it('answers 404 in a sentence for what is not there, and for files elsewhere', async () => {
    const ask = await open(built)
    for (const path of ['nothing/', '%2e%2e%2fpackage.json', 'samples/..%2f..%2fx.png']) {
      const { statusCode, body } = await ask(`/docs/latest/${path}`)
      expect([statusCode, body], path).toEqual([404, expect.stringMatching(/There is no such page|Error/)])
    }
  })

  it('says how to build it when it is not built', async () => {
    const ask = await open({})
    expect((await ask('/docs/latest/')).body).toContain('has not been built. Run npm start')
  })
})
