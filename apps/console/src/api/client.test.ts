import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { answerFrom } from '../testing/render-screen.tsx'
import { bootstrapKey, emptyWorld } from '../demo/world.ts'
import { client, onKeyRefused } from './client.ts'
import { keepKey } from './key.ts'

const refused = vi.fn()
let stop: () => void

beforeEach(() => {
  refused.mockClear()
  stop = onKeyRefused(refused)
  answerFrom(emptyWorld())
})
afterEach(() => {
  stop()
})

describe('the client', () => {
  it('sends the kept key', async () => {
    keepKey(bootstrapKey)
    expect((await client.getConfig({})).backend).toBe('testline')
    expect(refused).not.toHaveBeenCalled()
  })

  it('tells when the kept key is refused', async () => {
    keepKey('fdk_live_revoked')
    await expect(client.listApiKeys({})).rejects.toMatchObject({ status: 401, failure: 'Failed to fetch API keys' })
    expect(refused).toHaveBeenCalledTimes(1)
  })

  it('does not end a session for the refusal of a key that is only tried, or was kept before', async () => {
    await expect(client.getConfig({}, { headers: { 'x-api-key': 'tried' } })).rejects.toMatchObject({ status: 401 })
    keepKey('fdk_live_old')
    const late = client.listApiKeys({})
    keepKey(bootstrapKey)
    await expect(late).rejects.toMatchObject({ status: 401 })
    expect(refused).not.toHaveBeenCalled()
  })
})
