import { describe, expect, it } from 'vitest'
import { startGateway } from '../../testing/start-gateway.ts'

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
    expect(text).toMatch(/^faxdeck_disk_free_bytes \d+/m)
    expect(text).toMatch(/^faxdeck_process_resident_memory_bytes \d+/m)
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
