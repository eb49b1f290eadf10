import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import type { Diagnostics, Finding } from '@faxdeck/contract'
import Sqlite from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { startGateway, type TestGateway } from '../../testing/start-gateway.ts'
import { findOpenssl, trustAuthority } from './testing/certificates.ts'
import { deserted, dropping, phaxioAnswers, serve, serveTls } from './testing/stubs.ts'

const day = 86_400_000
const quiet = { AUDIT_LOG_ENABLED: 'true', MAX_REQUESTS_PER_MINUTE: '60' }
const through = (url: string, env: Record<string, string> = {}) => ({
  ...quiet,
  FAX_DISABLED: 'false',
  FAX_BACKEND: 'phaxio',
  FAX_HEADER: 'Example Clinic',
  PHAXIO_API_KEY: 'key',
  PHAXIO_API_SECRET: 'secret',
  PHAXIO_CALLBACK_TOKEN: 'token',
  PHAXIO_BASE_URL: url,
  ...env,
})

const issues = ({ findings }: Diagnostics) => findings.filter(({ passed, severity }) => !passed && severity !== 'info')
const run = async ({ client }: Pick<TestGateway, 'client'>) => client.runDiagnostics({})
const named = (found: Diagnostics, check: string, group?: string): Finding | undefined =>
  found.findings.find((each) => each.check === check && (group === undefined || each.group === group))

/** What the account's check says with this address. */
async function authWith(url: string, env: Record<string, string> = {}): Promise<Finding | undefined> {
  return named(await run(await startGateway({ env: through(url, env) })), 'auth')
}

const saying = (sentence: RegExp, severity = 'critical') => ({
  passed: false,
  severity,
  sentence: expect.stringMatching(sentence) as unknown,
})

describe('a healthy gateway', () => {
  it('has no finding on the test line', async () => {
    const found = await run(await startGateway({ env: quiet }))
    expect(issues(found)).toEqual([])
    expect(found.summary).toEqual({ healthy: true, critical_issues: [], warnings: [] })
  })

  const outside = Object.values(networkInterfaces())
    .flat()
    .find((each) => each?.family === 'IPv4' && !each.internal)?.address

  it.skipIf(outside === undefined || !findOpenssl())('has no finding behind a provider and a proxy', async () => {
    const host = outside ?? ''
    const gateway = await startGateway({ env: through(await serve(phaxioAnswers)) })
    const certificate = trustAuthority().issue({ name: `IP:${host}` })
    const url = await serveTls(
      certificate,
      (request, response) => {
        const { url: path = '/', headers } = request
        const asked = gateway.app.inject({ url: path, headers, remoteAddress: host })
        void asked.then((answer) => response.writeHead(answer.statusCode, answer.headers as never).end(answer.body))
      },
      host,
    )
    await gateway.client.updateSettings({ body: { public_api_url: url } })
    const found = await run(gateway)
    expect(issues(found)).toEqual([])
    expect(named(found, 'clock')?.detail).toBe('agrees with Phaxio')
  })
})

describe('a provider', () => {
  it('that refuses the credentials', async () => {
    expect(await authWith(await serve(phaxioAnswers), { PHAXIO_API_SECRET: 'wrong' })).toMatchObject({
      ...saying(/^Phaxio does not accept the API key and secret: copy both again/),
      detail: 'Phaxio refused the credentials (401).',
      setting: 'phaxio_api_key',
    })
  })

  it('that nobody listens for', async () => {
    expect(await authWith(await deserted())).toMatchObject({
      ...saying(/^The connection to Phaxio is refused: check the address and port/),
      setting: 'phaxio_base_url',
    })
  })

  it('whose host name does not exist', async () => {
    expect(await authWith('https://phaxio.invalid/v2.1')).toMatchObject(
      saying(/^The host name of Phaxio (does not exist|cannot be looked up)/),
    )
  })

  it('that drops the packets', async () => {
    expect(await authWith(await dropping())).toMatchObject(saying(/^No connection to Phaxio can be opened/))
  })

  it('that takes the question and never answers', async () => {
    const found = await run(await startGateway({ env: through(await serve(() => undefined)) }))
    expect(named(found, 'auth')).toMatchObject(saying(/^Phaxio does not answer in time/))
    // The clock could not be compared, and that is said rather than claimed.
    expect(named(found, 'clock')).toMatchObject({ passed: true, detail: expect.stringMatching(/no other clock/) })
  })

  it('with a fault of its own', async () => {
    const url = await serve((_request, response) => response.writeHead(500).end('<html>Oops</html>'))
    expect(await authWith(url)).toMatchObject(saying(/^Phaxio reports an internal error: check its status page/))
  })

  it.each([
    ['a page with 200', 200, '<!doctype html><title>Hotel Wi-Fi</title>', {}],
    ['a redirect to a sign-in page', 302, '', { location: 'http://portal.hotel.test/' }],
    ['other JSON', 200, '{"status":"up"}', {}],
  ])('in whose place somebody answers %s', async (_what, status, body, headers) => {
    const url = await serve((_request, response) => response.writeHead(status, headers).end(body))
    expect(await authWith(url)).toMatchObject(saying(/^What answers at the address of Phaxio is not Phaxio/))
  })

  it('that cuts the connection', async () => {
    const url = await serve((request) => request.socket.destroy())
    expect(await authWith(url)).toMatchObject(saying(/^The connection to Phaxio is cut/))
  })

  describe.skipIf(!findOpenssl())('behind TLS', () => {
    it('whose certificate has expired', async () => {
      const url = await serveTls(
        trustAuthority().issue({ name: 'IP:127.0.0.1', until: '20200101000000Z' }),
        phaxioAnswers,
      )
      expect(await authWith(url)).toMatchObject(saying(/has expired or is not valid yet: check the clock/))
    })

    it('whose certificate nobody has signed', async () => {
      const url = await serveTls(trustAuthority().selfSigned({ name: 'IP:127.0.0.1' }), phaxioAnswers)
      expect(await authWith(url)).toMatchObject(saying(/does not trust the certificate .+ proxy that inspects/))
    })

    it('whose certificate is for another name', async () => {
      const url = await serveTls(trustAuthority().issue({ name: 'DNS:other.example.test' }), phaxioAnswers)
      expect(await authWith(url)).toMatchObject(saying(/is for another name/))
    })

    it('that does not speak it', async () => {
      const url = (await serve(phaxioAnswers)).replace('http:', 'https:')
      expect(await authWith(url)).toMatchObject(saying(/does not speak TLS/))
    })

    it('all of whose answers are good', async () => {
      const url = await serveTls(trustAuthority().issue({ name: 'IP:127.0.0.1' }), phaxioAnswers)
      expect(await authWith(url)).toMatchObject({ passed: true })
    })
  })

  it('with a fault that is said once where two checks meet it', async () => {
    const env = { ...quiet, FAX_DISABLED: 'false', FAX_BACKEND: 'sinch', SINCH_PROJECT_ID: 'p', SINCH_API_KEY: 'k' }
    const gone = { SINCH_API_SECRET: 's', SINCH_BASE_URL: await deserted(), SINCH_INBOUND_BASIC_PASS: 'p' }
    const { summary } = await run(await startGateway({ env: { ...env, ...gone } }))
    expect(summary.critical_issues).toEqual([expect.stringMatching(/^The connection to Sinch is refused/)])
  })

  it.each([
    ['phaxio', { PHAXIO_API_KEY: 'key', PHAXIO_API_SECRET: 'secret' }],
    ['sinch', { SINCH_PROJECT_ID: 'p', SINCH_API_KEY: 'k', SINCH_API_SECRET: 's' }],
    ['signalwire', { SIGNALWIRE_SPACE_URL: 'a.signalwire.com', SIGNALWIRE_PROJECT_ID: 'p', SIGNALWIRE_API_TOKEN: 't' }],
    ['documo', { DOCUMO_API_KEY: 'key' }],
    ['sip', { AMI_HOST: '127.0.0.1' }],
  ])('%s whose callbacks cannot be verified loses received faxes: critical', async (backend, account) => {
    const gateway = await startGateway({ env: { FAX_DISABLED: 'false', FAX_BACKEND: backend, ...account } })
    const { summary } = await run(gateway)
    expect(summary.critical_issues.filter((each) => /received|hand over/.test(each))).toHaveLength(1)
    await gateway.client.updateSettings({ body: { inbound_enabled: false } })
    const { summary: sending } = await run(gateway)
    expect(sending.critical_issues.filter((each) => /received|hand over/.test(each))).toEqual([])
  })
})

describe('the clock', () => {
  it.each([day, -day])('that is %i ms wrong is seen, and still after the next fax', async (ms) => {
    const url = await serve(phaxioAnswers)
    const gateway = await startGateway({ env: through(url), now: () => new Date(Date.now() + ms) })
    for (let look = 0; look < 2; look++) {
      expect(named(await run(gateway), 'clock')).toMatchObject({
        ...saying(/^This machine’s clock is wrong/, 'warning'),
        detail: expect.stringMatching(/that of Phaxio/) as unknown,
      })
      await gateway.client.updateSettings({ body: { fax_header: `Clinic ${look}` } })
    }
  })
})

describe('what is kept', () => {
  const receive = async ({ client }: TestGateway) => {
    const { id } = await client.simulateInbound({ body: {} })
    const statusOf = async () => (await client.getInbound({ params: { id } })).status
    await expect.poll(statusOf, { timeout: 15_000 }).toBe('received')
    return id
  }
  const documentsOf = async (directory: string) => {
    const names = await readdir(join(directory, 'documents'), { recursive: true })
    return names
      .filter((name) => /^inbound\/.+\.(pdf|tiff)$/.test(name))
      .map((name) => join(directory, 'documents', name))
  }

  it('names the entry of the audit trail that was changed', async () => {
    const gateway = await startGateway({ env: quiet })
    for (const name of ['A', 'B', 'C']) await gateway.client.updateSettings({ body: { fax_header: name } })
    const file = new Sqlite(join(gateway.directory, 'faxdeck.db'))
    file.prepare(`update audit_events set fields = replace(fields, 'fax_header', 'fax_headed') where seq = 2`).run()
    file.close()
    expect(named(await run(gateway), 'audit_trail_intact')).toMatchObject(
      saying(/^The audit trail is broken at entry 2: it was altered/),
    )
  })

  it('tells a document that is missing from one that is no longer kept', async () => {
    const gateway = await startGateway({ env: quiet })
    const id = await receive(gateway)
    for (const path of await documentsOf(gateway.directory)) await rm(path)
    expect(named(await run(gateway), 'documents_kept')).toMatchObject({
      ...saying(/^Fax documents are missing from storage/),
      detail: expect.stringContaining(`received fax ${id}`) as unknown,
    })
    expect(await gateway.client.getInbound({ params: { id } })).toMatchObject({
      document_kept: false,
      document_missing: true,
    })
    await expect(gateway.client.getInboundPdf({ params: { id } })).rejects.toMatchObject({
      status: 404,
      answer: { code: 'document_missing', detail: expect.stringMatching(/is missing from the storage/) },
    })
  })

  it('knows of a missing document as soon as somebody asks for it, and forgets once it is back', async () => {
    const gateway = await startGateway({ env: quiet })
    const id = await receive(gateway)
    const paths = await documentsOf(gateway.directory)
    for (const path of paths) await rename(path, join(gateway.directory, path.split('/').at(-1) ?? ''))
    await gateway.client.getInboundPdf({ params: { id } }).catch(() => undefined)
    const [shown] = await gateway.client.listInbound({ query: {} })
    expect(shown).toMatchObject({ document_kept: false, document_missing: true })
    for (const path of paths) await rename(join(gateway.directory, path.split('/').at(-1) ?? ''), path)
    expect(named(await run(gateway), 'documents_kept')).toMatchObject({ passed: true })
    expect(await gateway.client.getInbound({ params: { id } })).toMatchObject({ document_kept: true })
  })

  it('is not called missing while its whole folder is gone: that is said instead', async () => {
    const gateway = await startGateway({ env: quiet })
    await receive(gateway)
    const documents = join(gateway.directory, 'documents')
    await rename(documents, join(gateway.directory, 'elsewhere'))
    await mkdir(documents)
    const found = await run(gateway)
    expect(named(found, 'accessible')).toMatchObject(saying(/^This is not the documents folder Faxdeck has been using/))
    expect(named(found, 'documents_kept')).toMatchObject({ passed: false, severity: 'info' })
    expect(found.summary.healthy).toBe(false)
  })

  // Only root can become somebody else, whom the folders of root refuse.
  it.skipIf(process.geteuid?.() !== 0)('is refused by a folder of somebody else', async () => {
    const gateway = await startGateway({ env: quiet })
    process.seteuid?.(65_534)
    const found = await run(gateway).finally(() => process.seteuid?.(0))
    expect(named(found, 'fax_data_writable')).toMatchObject(saying(/^The data directory cannot be written/))
    expect(named(found, 'accessible')).toMatchObject(saying(/^The documents folder cannot be written/))
    expect(found.findings.map(({ detail }) => detail).join()).not.toContain('failed unexpectedly')
  })
})

describe('the public address', () => {
  const withUrl = async (url: string, env: Record<string, string> = {}) => {
    const api = await serve(phaxioAnswers)
    return issues(await run(await startGateway({ env: through(api, { PUBLIC_API_URL: url, ...env }) })))
  }
  const unenforced = { ENFORCE_PUBLIC_HTTPS: 'false' }
  const checks = (found: readonly Finding[]) =>
    found.map(({ check }) => check).filter((check) => check !== 'enforce_https')

  it('of this machine alone leaves nowhere to report to, and is not HTTPS', async () => {
    const named = ['callback_url_set', 'public_url_https', 'public_url_reachable']
    expect(checks(await withUrl('http://localhost:8080', unenforced))).toEqual(named)
    // With HTTPS enforced the security checks are silent about such an address, so the provider’s own speak.
    expect(checks(await withUrl('http://localhost:8080'))).toEqual(named)
  })

  it('without HTTPS is one finding, and says only what is true of the provider', async () => {
    const found = await withUrl('http://fax.invalid', unenforced)
    expect(checks(found)).toEqual(['public_url_https', 'public_url_reachable'])
    expect(found.find(({ check }) => check === 'public_url_https')?.sentence).toContain(
      'what Phaxio reports can be read',
    )
  })

  it('without HTTPS is a finding of the setting that demands it', async () => {
    const found = await withUrl('http://fax.invalid')
    expect(found.map(({ check }) => check)).toEqual(['enforce_https', 'public_url_reachable'])
    expect(found[0]?.sentence).toBe(
      'ENFORCE_PUBLIC_HTTPS is enabled, but PUBLIC_API_URL is not HTTPS. Use an HTTPS URL or disable for non-PHI dev.',
    )
  })

  it('of another server that says it is alive is not ours', async () => {
    const gateway = await startGateway({ env: quiet })
    const url = await serve((_request, response) => response.end('{"status":"ok"}'))
    await gateway.client.updateSettings({ body: { public_api_url: url } })
    expect(await gateway.client.testTunnel({})).toMatchObject({ ok: false })
  })

  it('follows the port as long as nobody sets it', async () => {
    const { client } = await startGateway({ env: { PORT: '18250' } })
    expect((await client.getConfig({})).public_api_url).toBe('http://localhost:18250')
  })
})
