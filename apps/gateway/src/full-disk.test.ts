import { mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RouteName, type RouteRow, routes } from '@faxdeck/contract'
import { expect, it, onTestFinished, vi } from 'vitest'
import { mayMount, mountSmall } from './testing/small-disk.ts'
import { Browser, password, signedIn } from './testing/browser.ts'
import { startGateway, type TestGateway } from './testing/start-gateway.ts'

vi.setConfig({ testTimeout: 120_000 })

/** Leaves no byte. @returns how to make room again */
function fill(disk: string): () => void {
  const path = join(disk, 'others')
  const { bavail, bsize } = statfsSync(disk)
  writeFileSync(path, Buffer.alloc(bavail * bsize))
  return () => rmSync(path)
}

const id = 'a'.repeat(32)

function letterForm(): FormData {
  const form = new FormData()
  form.set('to', '+15555550123')
  form.set('file', new File(['A letter.'], 'letter.txt'))
  return form
}

/** Valid bodies of the calls that take one; those of the others are empty. */
const bodies: Partial<Record<RouteName, object>> = {
  createApiKey: { name: 'Front desk', scopes: ['fax:send'] },
  updateSettings: { max_file_size_mb: 12 },
  validateSettings: { max_file_size_mb: 12 },
  persistSettings: { content: 'MAX_FILE_SIZE_MB=12' },
  markInboundRead: { read: true },
  simulateInbound: { pages: 1, status: 'received' },
  resolveJob: { outcome: 'failed' },
  coverPreview: { cover: 'plain' },
  lookUpRecipient: { to: '+15555550123' },
  runAction: { id: 'disk' },
  configureTunnel: { enabled: false, provider: 'none' },
  redeemPairing: { code: '123456' },
  updatePluginConfig: { enabled: true },
  installManifest: { manifest: {} },
  createWebhook: { url: 'https://hooks.example.com/a', events: ['*'] },
}

async function ask({ app, key }: TestGateway, name: RouteName, params: Record<string, string> = {}) {
  const row: RouteRow = routes[name]
  const url = row.path.replace(/:(\w+)/g, (_, part: string) => params[part] ?? id)
  const json = row.method === 'GET' ? undefined : JSON.stringify(bodies[name] ?? {})
  const type = row.form ? undefined : { 'content-type': 'application/json' }
  const body = row.form ? letterForm() : json
  const request = new Request(`http://localhost${url}`, {
    method: row.method,
    headers: { ...type, 'x-api-key': key },
    ...(body === undefined ? {} : { body }),
  })
  const answer = await app.inject({
    method: row.method,
    url,
    headers: { host: 'localhost', ...Object.fromEntries(request.headers) },
    payload: Buffer.from(await request.arrayBuffer()),
    remoteAddress: '127.0.0.1',
  })
  return { status: answer.statusCode, code: /"code":"(\w+)"/.exec(answer.body)?.[1] }
}

const writes = (Object.entries(routes) as [RouteName, RouteRow][]).filter(
  ([name, row]) => row.method !== 'GET' && name !== 'restart',
)

it.skipIf(!mayMount())(
  'a full disk is reported by every call that writes, and everything goes on once there is room',
  async () => {
    const disk = mkdtempSync(join(tmpdir(), 'faxdeck-small-disk-'))
    const unmount = mountSmall(disk)
    onTestFinished(() => {
      unmount()
      rmSync(disk, { recursive: true })
    })
    const directory = join(disk, 'data')
    mkdirSync(directory)
    const gateway = await startGateway({ directory, env: { FEATURE_V3_PLUGINS: 'true' } })
    const letter = new File(['A letter.'], 'letter.txt')
    const sent = await gateway.client.submitFax({ form: { to: '+15555550123', file: letter } })
    const createdKey = await gateway.client.createApiKey({ body: { name: 'Mine', scopes: ['fax:send'] } })
    const { email, browser } = await signedIn(gateway, 'administrator')
    const makeRoom = fill(disk)
    // What SQLite's log has room for already is still taken.
    await expect
      .poll(() => ask(gateway, 'createApiKey'), { timeout: 60_000, interval: 1 })
      .toMatchObject({ status: 507 })
    // Whoever could make room can sign in, look, with an entry in the trail, and make room.
    await browser.ask('POST', '/admin/sign-out')
    expect((await browser.ask('POST', '/admin/sign-in', { json: { email, password } })).status).toBe(200)
    const looked = await browser.ask('GET', `/admin/fax-jobs/${sent.id}/pages/1`)
    expect(looked.status).toBe(200)
    expect(await gateway.gateway.events.list({ event: 'document_viewed', limit: 5 })).toHaveLength(1)
    expect((await browser.ask('GET', `/admin/fax-jobs/${sent.id}/pdf`)).status).toBe(200)
    expect(await ask(gateway, 'updateSettings')).toMatchObject({ status: 200 })
    const answers = await Promise.all(
      writes.map(async ([name, row]) => {
        const params = { id: row.path.includes('api-keys') ? createdKey.key_id : sent.id }
        return [name, await ask(gateway, name, params)] as const
      }),
    )
    expect(answers.filter(([, { status }]) => status === 500)).toEqual([])
    const reported = Object.fromEntries(answers)
    for (const name of ['submitFax', 'createApiKey', 'rotateApiKey', 'persistSettings', 'uploadDocument'] as const) {
      expect([name, reported[name]]).toEqual([name, { status: 507, code: 'storage_full' }])
    }
    expect(reported.revokeApiKey).toMatchObject({ status: 200 })
    makeRoom()
    await expect.poll(() => ask(gateway, 'createApiKey'), { timeout: 20_000 }).toMatchObject({ status: 201 })
    expect(await ask(gateway, 'updateSettings')).toMatchObject({ status: 200 })
    expect(await ask(gateway, 'submitFax')).toMatchObject({ status: 202 })
    expect(await gateway.client.verifyAuditChain({})).toMatchObject({ intact: true })
    expect(await gateway.client.getFax({ params: { id: sent.id } })).toMatchObject({ id: sent.id })
  },
)

it.skipIf(!mayMount())('a gateway that is started on a full disk lets people in all the same', async () => {
  const disk = mkdtempSync(join(tmpdir(), 'faxdeck-small-disk-'))
  const unmount = mountSmall(disk)
  onTestFinished(() => {
    unmount()
    rmSync(disk, { recursive: true })
  })
  const directory = join(disk, 'data')
  mkdirSync(directory)
  const first = await startGateway({ directory })
  const { email } = await signedIn(first, 'administrator')
  fill(disk)
  await expect.poll(() => ask(first, 'createApiKey'), { timeout: 60_000, interval: 1 }).toMatchObject({ status: 507 })
  await first.stop()
  const again = await startGateway({ directory })
  const browser = new Browser(again.app)
  expect((await browser.ask('POST', '/admin/sign-in', { json: { email, password } })).status).toBe(200)
  expect(await ask(again, 'submitFax')).toEqual({ status: 507, code: 'storage_full' })
  expect(await again.client.verifyAuditChain({})).toMatchObject({ intact: true })
})
