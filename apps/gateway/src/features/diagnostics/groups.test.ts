import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { StateCount } from '../../fax/move/job-states.ts'
import type { SettingsInForce } from '../../base/settings/settings.ts'
import { StorageProblem, type Storage } from '../../base/storage/storage.ts'
import { onEachDatabase } from '../../testing/databases.ts'
import { callbacksGroup, queueGroup } from './groups.ts'
import { clockProbe } from './clock.ts'
import type { Group } from '../../base/checks.ts'
import { runProbe } from './probe.ts'
import { storageGroup } from './storage.ts'
import { systemGroup } from './system.ts'

const log = { warn: () => undefined }

async function look({ probes }: Pick<Group, 'probes'>) {
  const outcomes = await Promise.all(probes.map((probe) => runProbe('g', probe, log)))
  return Object.fromEntries(outcomes.map(({ finding }) => [finding.check, finding]))
}

describe('the public address', () => {
  const look1 = async (publicUrl: string, isNeeded: boolean) => {
    const ask = async () => ({ passed: false, detail: 'Somebody answered.', hint: 'It is not this gateway.' })
    return (await look(callbacksGroup(publicUrl, ask, isNeeded))).public_url_reachable
  }

  it('says what was found there', async () => {
    expect(await look1('https://fax.example.test', true)).toMatchObject({
      passed: false,
      sentence: 'It is not this gateway.',
      detail: 'Somebody answered.',
      setting: 'public_api_url',
    })
  })

  it('is reported as belonging to this machine alone, which matters only to providers outside', async () => {
    const only = 'http://localhost:8080 can be reached from this machine only'
    expect(await look1('http://localhost:8080', true)).toMatchObject({ passed: false, detail: `${only}.` })
    expect(await look1('http://localhost:8080', false)).toMatchObject({
      passed: true,
      detail: `${only}; no provider needs one now.`,
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
  const states = async (): Promise<StateCount[]> => [
    { backend: 'sip', state: 'queued', jobs: 2 },
    { backend: 'sip', state: 'in_progress', jobs: 5 },
  ]
  it.each([
    [null, true],
    ['2026-03-01T12:30:00.000Z', true],
    ['2026-03-01T11:50:00.000Z', true],
    ['2026-03-01T11:40:00.000Z', false],
  ])('with the oldest work due at %s', async (oldest, passed) => {
    const found = await look(queueGroup({ queue: depth(oldest), states, paused: () => [], now: () => now }))
    expect(found.oldest_age?.passed).toBe(passed)
    expect(found.depth?.detail).toBe('2 queued, 5 in progress, 0 waiting')
  })

  it('is not what is wrong while faxes wait for a provider that takes none', async () => {
    const queue = depth('2026-03-01T10:00:00.000Z')
    const found = await look(queueGroup({ queue, states, paused: () => ['Sinch'], now: () => now }))
    expect(found.oldest_age).toMatchObject({ passed: true, detail: expect.stringContaining('Sinch') as unknown })
  })
})

onEachDatabase((open) => {
  it('that is gone is a critical finding', async () => {
    const database = await open()
    const directory = await mkdtemp(join(tmpdir(), 'faxdeck-diag-'))
    onTestFinished(() => rm(directory, { recursive: true, force: true }))
    const clock = clockProbe({ database, now: () => new Date(), others: async () => [] })
    const backup = async () => ({ last: undefined, ageMs: undefined, problem: undefined })
    const group = systemGroup({ directory: join(directory, 'gone'), database, largestBytes: 1, clock, backup })
    await database.close()
    const found = await look(group)
    expect(found.database_connected).toMatchObject({ passed: false, severity: 'critical' })
    expect(found.fax_data_dir).toMatchObject({ passed: false, severity: 'critical' })
    // One fault, one finding.
    expect(found.fax_data_writable).toMatchObject({ passed: false, severity: 'info' })
    expect(found.disk_space).toMatchObject({ passed: false, severity: 'info' })
  })
})
