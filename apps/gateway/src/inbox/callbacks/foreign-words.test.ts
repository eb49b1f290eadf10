import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { newPostgresDatabase, waitForPostgres } from '../../testing/databases.ts'
import { through } from '../../testing/through-emulator.ts'

const nasty = 'busy\u0000\u202e\u001b line'

describe('words that no database stores, and nobody should read,', () => {
  waitForPostgres()

  it('are cleaned in callbacks, received faxes and refusals, and the states are right', async () => {
    const database = { DATABASE_URL: await newPostgresDatabase() }
    const { emulator, client, send, job, gatewayUrl } = await through('phaxio', database, { stepMs: 3000 })
    const post = async (path: string, fields: Record<string, string>) => {
      const named = Object.entries(fields).toSorted(([a], [b]) => (a < b ? -1 : 1))
      const hmac = createHmac('sha1', emulator.env.PHAXIO_CALLBACK_TOKEN ?? '').update(gatewayUrl + path)
      for (const [name, value] of named) hmac.update(name + value)
      const headers = { 'x-phaxio-signature': hmac.digest('hex') }
      return (await fetch(gatewayUrl + path, { method: 'POST', headers, body: new URLSearchParams(fields) })).status
    }
    const id = await send('+15555550123')
    await expect.poll(async () => (await job(id)).provider_sid, { timeout: 20_000 }).not.toBeNull()
    const { provider_sid: sid } = await job(id)
    const failure = { id: Number(sid), direction: 'sent', status: 'failure', error_type: 'generalError' }
    const fax = JSON.stringify({ ...failure, error_message: nasty })
    expect(await post('/phaxio-callback', { fax, direction: 'sent' })).toBe(200)
    expect(await job(id)).toMatchObject({ status: 'FAILED', error: expect.stringContaining('busy line') as unknown })
    expect(await post('/phaxio-callback?attempt=%00', { fax: '{"id":1,"status":"a\\u0000b"}' })).toBe(200)

    const received = {
      id: 7,
      direction: 'received',
      status: 'failure',
      from_number: `+1555\u0000\u202e${'9'.repeat(10_000)}`,
    }
    const notice = { fax: JSON.stringify({ ...received, to_number: nasty, error_message: nasty }), message: nasty }
    expect(await post('/phaxio-inbound', notice)).toBe(200)
    const [row] = await client.listInbound({ query: {} })
    expect(row).toMatchObject({ status: 'failed', provider_sid: '7' })
    expect((await client.getInbound({ params: { id: row?.id ?? '' } })).fr).toBe(`+1555${'9'.repeat(95)}`)

    emulator.answerNext({ status: 422, body: { success: false, message: nasty } }, /faxes$/)
    const second = await send('+15555550124')
    await expect.poll(async () => (await job(second)).status, { timeout: 20_000 }).toBe('FAILED')
    expect((await job(second)).error).toBe('Phaxio refused the fax (422). Phaxio says: busy line.')
  })
})
