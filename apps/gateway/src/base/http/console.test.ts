import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { applyLayers, coreRows, type CoreSettings } from '@faxdeck/settings'
import { pino } from 'pino'
import { describe, expect, it, onTestFinished } from 'vitest'
import { serveConsole } from './console.ts'
import { Guards } from './callers/guards.ts'
import { createServer } from './server.ts'

async function openConsole(files: Record<string, string | Buffer>) {
  const directory = mkdtempSync(join(tmpdir(), 'faxdeck-console-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  mkdirSync(join(directory, 'assets'))
  for (const [name, content] of Object.entries(files)) writeFileSync(join(directory, name), content)
  const values = applyLayers(coreRows([]), { environment: {}, saved: {} }).values as unknown as CoreSettings
  const guards = new Guards({
    settings: () => values,
    keys: { verify: async () => undefined, wasValid: () => false, onEnded: () => () => undefined },
    events: {
      loginFailed: async () => undefined,
      permissionDenied: async () => undefined,
      apiKeyDeniedScope: async () => undefined,
      rateLimited: async () => undefined,
      apiError: async () => undefined,
    },
    now: () => new Date(0),
  })
  const app = await createServer(guards, pino({ level: 'silent' }))
  await serveConsole(app, guards, directory)
  return (url: string, headers = {}, remoteAddress = '127.0.0.1') =>
    app.inject({ url, headers: { host: 'localhost', ...headers }, remoteAddress })
}

const built = {
  'index.html':
    '<!doctype html><script src="theme.js"></script><script type="module" src="x.js"></script><div id="root"></div>',
  'favicon.svg': '<svg/>',
  'assets/index-B1x_Y2z9.js': 'const plain = 1',
  'assets/index-B1x_Y2z9.js.gz': gzipSync('const plain = 1'),
}

describe('the console', () => {
  it('is where visitors of / are sent', async () => {
    const ask = await openConsole(built)
    for (const url of ['/', '/admin-demo']) {
      const answer = await ask(url)
      expect([answer.statusCode, answer.headers.location]).toEqual([302, '/admin-demo/'])
    }
  })

  it('is served under a policy that lets no script run but files, and asked for anew each time', async () => {
    const ask = await openConsole(built)
    const answer = await ask('/admin-demo/')
    expect(answer.body).toContain('<div id="root">')
    expect(answer.headers['cache-control']).toBe('no-cache')
    const policy = String(answer.headers['content-security-policy'])
    expect(policy).toContain("script-src 'self';")
    expect(policy).toContain("connect-src 'self';")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).not.toMatch(/unsafe-eval|script-src[^;]*unsafe-inline/)
    expect(answer.headers['access-control-allow-origin']).toBeUndefined()
    const again = await ask('/admin-demo/', { 'if-none-match': answer.headers.etag })
    expect([again.statusCode, again.headers['content-security-policy']]).toEqual([304, policy])
  })

  it('serves what is named by its content compressed, and for ever', async () => {
    const ask = await openConsole(built)
    const answer = await ask('/admin-demo/assets/index-B1x_Y2z9.js', { 'accept-encoding': 'gzip' })
    expect(answer.headers['content-encoding']).toBe('gzip')
    expect(answer.headers['content-type']).toContain('javascript')
    expect(answer.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect((await ask('/admin-demo/favicon.svg')).headers['cache-control']).toBe('no-cache')
  })

  it.each([
    '/admin-demo/nothing',
    '/admin-demo/assets/gone-12345678.js',
    '/admin-demo/..%2f..%2fetc/passwd',
    '/admin-demo/%2e%2e/x',
  ])('says 404 to %s instead of pretending', async (url) => {
    const answer = await (await openConsole(built))(url)
    expect([answer.statusCode, answer.json().code]).toEqual([404, 'not_found'])
  })

  it('is for this machine only', async () => {
    const ask = await openConsole(built)
    expect((await ask('/admin-demo/', {}, '203.0.113.9')).statusCode).toBe(403)
    expect((await ask('/admin-demo/', { 'x-forwarded-for': '127.0.0.1' })).statusCode).toBe(403)
  })

  it('says how it is built when it is not', async () => {
    const answer = await (await openConsole({}))('/admin-demo/')
    expect(answer.statusCode).toBe(404)
    expect(answer.json().detail).toContain('npm start')
  })
})
