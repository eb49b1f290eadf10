import { tmpdir } from 'node:os'
import type { DeliveryState } from '@faxdeck/contract'
import { describe, expect, it } from 'vitest'
import { onEachDatabase } from '../../testing/databases.ts'
import { startGateway } from '../../testing/start-gateway.ts'
import { ofLines } from './lines.ts'
import { type Metric, unlabeled } from './metric.ts'
import { ofWebhooks } from './receiving.ts'

describe('metrics', () => {
  it('count jobs, queue, events, failed attempts and conversions', async () => {
    const { app, client } = await startGateway()
    const file = new File(['hello'], 'hello.txt')
    const { id } = await client.submitFax({ form: { to: '+15555550100', file } })
    await expect.poll(async () => (await client.getJob({ params: { id } })).attempt_count, { timeout: 10_000 }).toBe(1)
    const read = async () => {
      const answer = await app.inject({ url: '/metrics', headers: { host: 'localhost' }, remoteAddress: '127.0.0.1' })
      expect(answer.headers['content-type']).toContain('text/plain')
      return answer.body
    }
    await expect.poll(read, { timeout: 10_000 }).toMatch(/^faxdeck_attempts_failed_total\{kind="busy"\} 1$/m)
    const text = await read()
    expect(text).toMatch(/^faxdeck_jobs\{backend="testline",status="\w+"\} 1$/m)
    expect(text).toMatch(/^faxdeck_queue_waiting 1$/m)
    expect(text).toMatch(/^faxdeck_audit_events_total\{event="job_created"\} 1$/m)
    expect(text).toMatch(/^faxdeck_conversions_total\{step="inspect"\} 1$/m)
    expect(text).toMatch(/^faxdeck_lease_losses_total 0$/m)
    expect(text).toMatch(/^faxdeck_provider_paused\{provider="testline"\} 0$/m)
    expect(text).toMatch(/^faxdeck_received_waiting 0$/m)
    expect(text).toMatch(/^faxdeck_received_oldest_seconds 0$/m)
    expect(text).toMatch(/^faxdeck_webhooks_stopped 0$/m)
    expect(text).toMatch(/^faxdeck_received_declined_total 0$/m)
    expect(text).toMatch(/^faxdeck_webhook_deliveries_waiting 0$/m)
    expect(text).toMatch(/^faxdeck_webhook_delivery_oldest_seconds 0$/m)
    expect(text).toMatch(/^faxdeck_disk_free_bytes \d+/m)
    expect(text).toMatch(/^faxdeck_process_resident_memory_bytes \d+/m)
  })

  it('say how far a copy of the audit trail is behind', async () => {
    const clock = { ms: Date.UTC(2026, 10, 23) }
    // Nobody can write into a folder as if it were a file.
    const { app, client } = await startGateway({ env: { TRAIL_FILE: tmpdir() }, now: () => new Date(clock.ms) })
    await client.createApiKey({ body: {} })
    clock.ms += 90_000
    const { body } = await app.inject({ url: '/metrics', headers: { host: 'localhost' }, remoteAddress: '127.0.0.1' })
    expect(body).toMatch(/^faxdeck_trail_copy_lag_seconds\{sink="file"\} 90$/m)
  })

  it('are for this machine, and for administrators from elsewhere', async () => {
    const { app, client, key } = await startGateway()
    const { token } = await client.createApiKey({ body: {} })
    const statusFrom = async (remoteAddress: string, headers: Record<string, string> = {}) =>
      (await app.inject({ url: '/metrics', headers: { host: 'localhost', ...headers }, remoteAddress })).statusCode
    expect(await statusFrom('127.0.0.1')).toBe(200)
    expect(await statusFrom('127.0.0.1', { 'x-forwarded-for': '127.0.0.1' })).toBe(401)
    expect(await statusFrom('203.0.113.9')).toBe(401)
    expect(await statusFrom('203.0.113.9', { 'x-api-key': token })).toBe(403)
    expect(await statusFrom('203.0.113.9', { 'x-api-key': key })).toBe(200)
  })
})

const samplesOf = (metrics: readonly Metric[]) => metrics.map(({ name, samples }) => [name, samples])

onEachDatabase((open) => {
  it('count webhook deliveries that wait, and how long the oldest has', async () => {
    const database = await open()
    const add = (id: string, state: DeliveryState, created_at: string) =>
      database.db
        .insertInto('webhook_deliveries')
        .values({
          id,
          endpoint_id: 'e1',
          event: 'fax.delivered',
          subject_id: 'j1',
          body: '',
          state,
          tries: 1,
          next_try_at: null,
          last_try_at: null,
          response_status: null,
          error: null,
          replayed_at: null,
          created_at,
        })
        .execute()
    await add('m1', 'delivered', '2026-11-23T11:00:00.000Z')
    await add('m2', 'pending', '2026-11-23T11:59:00.000Z')
    await add('m3', 'pending', '2026-11-23T11:59:30.000Z')
    expect(samplesOf(await ofWebhooks({ database, now: () => new Date('2026-11-23T12:00:00Z') }))).toEqual([
      ['webhook_deliveries_waiting', unlabeled(2)],
      ['webhook_delivery_oldest_seconds', unlabeled(60)],
    ])
  })

  it('count the calls that are up, of providers that report them', async () => {
    const calls = () => [{ id: 'a', direction: 'received', record: {} }]
    const providers = {
      providers: [{ id: 'trunk' }, { id: 'sinch' }],
      opened: (id: string) => (id === 'trunk' ? { calls } : {}),
      concurrency: () => 4,
    } as never
    expect(samplesOf(await ofLines({ database: await open(), providers, now: () => new Date() }))).toEqual([
      ['lines_busy', [{ labels: { provider: 'trunk' }, value: 1 }]],
      ['lines_allowed', [{ labels: { provider: 'trunk' }, value: 4 }]],
    ])
  })
})
