import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { writeFirstEnvironment } from '../../../scripts/start/first-environment.mjs'
import { gatewayProcess } from '../../../scripts/start/gateway-process.mjs'

const sources = fileURLToPath(new URL('main.ts', import.meta.url))
const served = gatewayProcess(fileURLToPath(new URL('../../..', import.meta.url)))
const running: ChildProcess[] = []
let directory = ''

/** Starts a real gateway, as it is served, on a port that the system gives; its banner shows the port for PORT=0. */
function start(env: Record<string, string> = {}, main = served.main) {
  const usual = { PATH: process.env.PATH ?? '', ...served.env }
  const all = { ...usual, FAX_DATA_DIR: directory, PORT: '0', FAX_DISABLED: 'true', ...env }
  const child = spawn(process.execPath, [main], { env: all, stdio: ['ignore', 'pipe', 'pipe'] })
  running.push(child)
  const printed = { text: '' }
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (printed.text += text))
  }
  const exited = once(child, 'close').then(([code]: unknown[]) => code)
  const up = async () => {
    await expect.poll(() => printed.text, { interval: 50 }).toContain('Ctrl-C stops it.')
    return /http:\/\/127\.0\.0\.1:\d+/.exec(printed.text)?.[0] ?? ''
  }
  const said = () => printed.text.split('\n').filter((line) => line !== '')
  return { child, exited, up, said, printed }
}

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'faxdeck-main-'))
})
afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL')
  rmSync(directory, { recursive: true, force: true })
})

describe('a start', { timeout: 60_000 }, () => {
  it('writes its new key to no log, stops in order, and starts again with the same key, also from the sources', async () => {
    const first = start()
    const url = await first.up()
    const key = readFileSync(join(directory, 'bootstrap-key'), 'utf8').trim()
    expect(first.printed.text).not.toContain(key)
    expect(first.printed.text).toContain('bootstrap-key')
    const config = await fetch(`${url}/admin/config`, { headers: { 'x-api-key': key } })
    expect(config.status).toBe(200)
    first.child.kill('SIGTERM')
    expect(await first.exited).toBe(0)

    const second = start({}, sources)
    await second.up()
    expect(second.printed.text).not.toContain(key)
    expect(second.printed.text).toContain('bootstrap-key')
    for (const file of ['bootstrap-key', 'master-key', 'faxdeck.db']) {
      expect(statSync(join(directory, file)).mode & 0o077).toBe(0)
    }
    second.child.kill('SIGINT')
    expect(await second.exited).toBe(0)
  })

  it('is refused while another gateway is running on the same database', async () => {
    await start().up()
    const second = start()
    expect(await second.exited).toBe(1)
    expect(second.said()).toEqual([expect.stringMatching(/^Another gateway is running on .*FAX_DATA_DIR\.$/)])
  })

  it('is asked for by a person and left to the supervisor, after the answer', async () => {
    const gateway = start({ API_KEY: 'a-key-for-restarts-0123456', ADMIN_ALLOW_RESTART: 'true' })
    const url = await gateway.up()
    const answer = await fetch(`${url}/admin/restart`, {
      method: 'POST',
      headers: { 'x-api-key': 'a-key-for-restarts-0123456' },
    })
    expect([answer.status, await answer.json()]).toEqual([202, { ok: true }])
    expect(await gateway.exited).toBe(75)
  })

  it('sends through the provider that the environment names, the very first time too', async () => {
    const posted: string[] = []
    const provider = createHttpServer((request, response) => {
      if (request.method === 'POST') posted.push(request.url ?? '')
      request.resume().on('end', () => response.end('{"success":true,"data":{"id":41}}'))
    }).listen(0, '127.0.0.1')
    await once(provider, 'listening')
    const address = provider.address()
    const env = {
      FAX_DISABLED: '',
      FAX_BACKEND: 'phaxio',
      PHAXIO_API_KEY: 'a-key',
      PHAXIO_API_SECRET: 'a-secret',
      PHAXIO_BASE_URL: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/v2.1`,
      API_KEY: 'from-the-environment-0123',
    }
    expect(writeFirstEnvironment(directory, env)).toBe(true)
    const gateway = start(env)
    const url = await gateway.up()
    expect(gateway.printed.text).not.toContain('Test line')
    const form = new FormData()
    form.set('to', '+13035551234')
    form.set('file', new File(['Dear colleague,'], 'letter.txt'))
    const answer = await fetch(`${url}/fax`, { method: 'POST', headers: { 'x-api-key': env.API_KEY }, body: form })
    expect(await answer.json()).toMatchObject({ backend: 'phaxio', test: false })
    await expect.poll(() => posted, { timeout: 20_000 }).toEqual(['/v2.1/faxes'])
    provider.close()
    provider.closeAllConnections()
  })

  it('sends through the only provider whose account the environment has, also when nothing names it', async () => {
    const account = { SINCH_PROJECT_ID: 'a-project', SINCH_API_KEY: 'a-key', SINCH_API_SECRET: 'a-secret' }
    const env = { FAX_DISABLED: '', API_KEY: 'from-the-environment-0123', ...account }
    writeFirstEnvironment(directory, env)
    const gateway = start(env)
    const config = await fetch(`${await gateway.up()}/admin/config`, { headers: { 'x-api-key': env.API_KEY } })
    expect(await config.json()).toMatchObject({ backend: 'sinch', test_line: false })
    expect(gateway.printed.text).not.toMatch(/Test line|No fax can be sent/)
  })

  it('says that nothing can be sent where the account of the named provider is incomplete, and refuses faxes', async () => {
    const env = { FAX_DISABLED: '', FAX_BACKEND: 'sinch', SINCH_API_KEY: 'a-key', API_KEY: 'from-the-environment-0123' }
    writeFirstEnvironment(directory, env)
    const gateway = start(env)
    const url = await gateway.up()
    expect(gateway.printed.text).toMatch(/No fax can be sent\. Sinch cannot be used yet: .*SINCH_PROJECT_ID/)
    const form = new FormData()
    form.set('to', '+13035551234')
    form.set('file', new File(['Dear colleague,'], 'letter.txt'))
    const answer = await fetch(`${url}/fax`, { method: 'POST', headers: { 'x-api-key': env.API_KEY }, body: form })
    expect([answer.status, await answer.json()]).toMatchObject([503, { code: 'provider_not_configured' }])
  })

  it('takes the settings file of the data directory, under the environment', async () => {
    writeFileSync(
      join(directory, 'faxdeck.env'),
      'MAX_FILE_SIZE_MB=7\nFAX_DISABLED=false\nAPI_KEY=from-the-file-1234-5678-90\n',
    )
    const url = await start().up()
    const config = await fetch(`${url}/admin/config`, { headers: { 'x-api-key': 'from-the-file-1234-5678-90' } })
    expect(await config.json()).toMatchObject({ limits: { max_file_size_mb: 7 }, test_line: true })
  })

  it('ends with one sentence and no stack, whatever stands in the way', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const address = other.address()
    const port = String(typeof address === 'object' ? address?.port : '')
    mkdirSync(join(directory, 'folder.db'))
    const starts = [
      start({ PORT: port }),
      start({ FAX_DATA_DIR: join(directory, 'a1'), HOST: '203.0.113.1' }),
      start({ FAX_DATA_DIR: join(directory, 'a2'), DATABASE_URL: `sqlite:${directory}/folder.db` }),
      start({ FAX_DATA_DIR: join(directory, 'a3'), DATABASE_URL: 'postgres://u:pass-word@127.0.0.1:1/db' }),
    ]
    expect(await Promise.all(starts.map(({ exited }) => exited))).toEqual([1, 1, 1, 1])
    expect(starts.map(({ said }) => said().length)).toEqual([1, 1, 1, 1])
    expect(starts.map(({ said }) => said()[0])).toEqual([
      expect.stringContaining(`Port ${port}`),
      expect.stringContaining('HOST 203.0.113.1'),
      expect.stringContaining('DATABASE_URL'),
      expect.stringMatching(/^The database postgres:\/\/127\.0\.0\.1:1\/db cannot be used/),
    ])
    other.close()
  })
})
