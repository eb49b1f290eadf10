import { describe, expect, it, vi } from 'vitest'
import { startGateway } from '../../testing/start-gateway.ts'

const patience = { timeout: 20_000, interval: 50 }

describe('what the test line took', () => {
  it('counts as delivered also once a provider is set up, and never as the last delivery to a number', async () => {
    const { client } = await startGateway()
    const to = '+15555550123'
    const file = new File(['Dear colleague,\n'], 'letter.txt')
    const { id } = await client.submitFax({ form: { to, file } })
    await vi.waitFor(async () => {
      expect((await client.getJob({ params: { id } })).status).toBe('SUCCESS')
    }, patience)
    const delivered = async () =>
      (await client.getActivity({ query: {} })).hours.reduce((sum, hour) => sum + hour.delivered, 0)
    expect(await delivered()).toBe(1)
    expect(await client.lookUpRecipient({ query: { to } })).toMatchObject({ faxed_before: 1, last_delivered_at: null })
    await client.updateSettings({ body: { documo_api_key: 'a-key' } })
    expect(await delivered()).toBe(1)
  })
})
