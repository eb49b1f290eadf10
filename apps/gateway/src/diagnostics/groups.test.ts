import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Host, Provider } from '@faxdeck/provider-kit'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createEvents } from '../events/create-events.ts'
import type { SettingsInForce } from '../settings/settings.ts'
import { StorageProblem, type Storage } from '../storage/storage.ts'
import { onEachDatabase } from '../testing/databases.ts'
import { callbacksGroup } from './callbacks.ts'
import { type Group, runProbe } from './probe.ts'
import { queueGroup } from './queue.ts'
import { storageGroup } from './storage.ts'
import { databaseProbes, systemGroup } from './system.ts'

const log = { warn: () => undefined }

async function look({ probes }: Pick<Group, 'probes'>) {
  const outcomes = await Promise.all(probes.map((probe) => runProbe('g', probe, log)))
  return Object.fromEntries(outcomes.map(({ finding }) => [finding.check, finding]))
}

describe('the public address', () => {
  const users = (kind: Provider['kind']) => [{ kind }] as Provider[]
  const host = (publicUrl: string) => ({ publicUrl, fetch: globalThis.fetch }) as Host
  const serve = async (status: number, body: string) => {
    const server = createServer((request, response) =>
      response.writeHead(request.url === '/health' ? status : 404).end(body),
    )
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    return (server.address() as AddressInfo).port
  }
  // The guarded fetch is not in question here: any name leads to this machine.
  const named = (port: number) =>
    ({
      publicUrl: 'http://fax.example.test',
      fetch: (url: string, init?: RequestInit) => fetch(`http://127.0.0.1:${port}${new URL(url).pathname}`, init),
    }) as Host

  it('passes when the gateway answers under it', async () => {
    const found = await look(callbacksGroup(named(await serve(200, '{"status":"ok"}')), users('cloud')))
    expect(found.public_url_reachable).toMatchObject({
      passed: true,
      detail: 'http://fax.example.test answers from here.',
    })
  })

  it.each([
    [200, '<html>It works!</html>'],
    [301, ''],
    [403, '{"code":"host_refused"}'],
  ])('fails when somebody else answers %i', async (status, body) => {
    const found = await look(callbacksGroup(named(await serve(status, body)), users('cloud')))
    expect(found.public_url_reachable).toMatchObject({ passed: false, setting: 'public_api_url' })
  })

  it('is told to be of this machine alone, which matters only to providers outside', async () => {
    const only = 'http://localhost:8080 is an address of this machine alone'
    expect(
      (await look(callbacksGroup(host('http://localhost:8080'), users('cloud')))).public_url_reachable,
    ).toMatchObject({
      passed: false,
      detail: `${only}.`,
    })
    expect(
      (await look(callbacksGroup(host('http://localhost:8080'), users('builtin')))).public_url_reachable,
    ).toMatchObject({
      passed: true,
      detail: `${only}; nobody outside needs one now.`,
    })
  })
})

describe('storage', () => {
  const s3 = (probe: Storage['probe']) => ({ kind: 's3', probe }) as Storage
  const values = (bucket: string | null, key: string | null) =>
    ({ s3_bucket: bucket, s3_kms_key_id: key }) as SettingsInForce

  it('on S3 needs a bucket, and a key of one’s own', async () => {
    const group = storageGroup(
      s3(async () => undefined),
      values(null, null),
    )
    expect(group.facts).toEqual({ type: 's3' })
    const found = await look(group)
    expect(found.accessible?.passed).toBe(true)
    expect(found.bucket_set).toMatchObject({ passed: false, severity: 'critical', setting: 's3_bucket' })
    expect(found.kms_enabled).toMatchObject({ passed: false, severity: 'warning', setting: 's3_kms_key_id' })
    const complete = await look(
      storageGroup(
        s3(async () => undefined),
        values('faxes', 'key'),
      ),
    )
    expect(Object.values(complete).every(({ passed }) => passed)).toBe(true)
  })

  it('that refuses says why', async () => {
    const full = () => Promise.reject(new StorageProblem('full', 'The disk is full.'))
    expect((await look(storageGroup(s3(full), values('faxes', 'key')))).accessible).toMatchObject({
      passed: false,
      severity: 'critical',
      detail: 'The disk is full.',
    })
  })
})

describe('the queue', () => {
  const now = new Date('2026-03-01T12:00:00.000Z')
  const depth = (oldest: string | null) => ({
    depth: async () => ({ waiting: 3, under_way: 1, oldest_due_at: oldest }),
  })
  it.each([
    [null, true],
    ['2026-03-01T12:30:00.000Z', true],
    ['2026-03-01T11:50:00.000Z', true],
    ['2026-03-01T11:40:00.000Z', false],
  ])('with the oldest work due at %s', async (oldest, passed) => {
    const found = await look(queueGroup(depth(oldest), () => now))
    expect(found.oldest_age?.passed).toBe(passed)
    expect(found.depth?.detail).toBe('3 waiting, 1 under way')
  })
})

onEachDatabase((open) => {
  it('answers, and agrees about the time', async () => {
    const database = await open()
    const found = await look({ probes: databaseProbes(database, () => new Date()) })
    expect(found).toMatchObject({ database_connected: { passed: true }, clock: { passed: true } })
  })

  it('shows that the clock has gone back behind what was recorded', async () => {
    const database = await open()
    await createEvents(database).restartRequested({ key_id: 'k' })
    const back = () => new Date(Date.now() - 3_600_000)
    const found = await look({ probes: databaseProbes(database, back) })
    expect(found.clock).toMatchObject({ passed: false, severity: 'warning' })
    expect(found.clock?.detail).toMatch(/^The difference is 3[56]\d\d seconds\.$/)
  })

  it('that is gone is a critical finding', async () => {
    const database = await open()
    const directory = await mkdtemp(join(tmpdir(), 'faxdeck-diag-'))
    onTestFinished(() => rm(directory, { recursive: true, force: true }))
    const group = systemGroup(join(directory, 'gone'), database, () => new Date())
    await database.close()
    const found = await look(group)
    expect(found.database_connected).toMatchObject({ passed: false, severity: 'critical' })
    expect(found.fax_data_dir).toMatchObject({ passed: false, severity: 'critical' })
    expect(found.fax_data_writable).toMatchObject({ passed: false, severity: 'critical' })
  })
})
