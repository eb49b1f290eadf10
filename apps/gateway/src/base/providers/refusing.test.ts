import { type EmulatedReply, serve } from '@faxdeck/provider-kit/emulator'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { startGateway } from '../../testing/start-gateway.ts'

const patience = { timeout: 20_000, interval: 20 }
const faxes = 12

/** A provider's server outside of the gateway that counts the faxes it is given, and faxes that wait for it. */
async function underWay(first: EmulatedReply) {
  let reply = first
  let taken = 0
  const provider = await serve(({ path, method }) => {
    if (method !== 'POST' || !/faxes|fax\/send/.test(path)) return { status: 404 }
    if (reply === first) return reply
    taken++
    return { status: 200, body: { messageId: `m-${taken}`, status: 'processing' } }
  })
  onTestFinished(() => provider.close())
  const env = { FAX_DISABLED: 'false', FAX_BACKEND: 'documo', DOCUMO_API_KEY: 'old', DOCUMO_BASE_URL: provider.origin }
  const { client } = await startGateway({
    env: { ...env, PAUSE_FIRST_SECONDS: '1', RETRY_UNREACHABLE_FIRST_SECONDS: '1' },
  })
  const ids: string[] = []
  for (let n = 0; n < faxes; n++) {
    const file = new File(['Dear colleague,\n'], 'letter.txt')
    ids.push((await client.submitFax({ form: { to: `+155555502${String(n).padStart(2, '0')}`, file } })).id)
  }
  const uploads = () => provider.requests.filter(({ method }) => method === 'POST').length
  const jobs = () => Promise.all(ids.map((id) => client.getJob({ params: { id } })))
  const relent = () => {
    reply = { status: 200 }
  }
  return { client, uploads, jobs, relent, taken: () => taken }
}

describe('a provider', () => {
  it('that answers 401 fails no fax, and gets each once when it accepts again', async () => {
    const { client, jobs, relent, taken } = await underWay({ status: 401, body: {} })
    await vi.waitFor(
      async () => expect(String((await client.getHealthStatus({})).problem)).toContain('rejected our credentials'),
      patience,
    )
    const all = await jobs()
    expect(all.filter(({ status }) => status === 'FAILED')).toEqual([])
    const { findings } = await client.runDiagnostics({})
    expect(findings.find(({ check }) => check === 'reachable')).toMatchObject({
      sentence: expect.stringContaining('rejects our credentials') as unknown,
      setting: 'documo_api_key',
    })
    relent()
    await vi.waitFor(() => expect(taken()).toBe(faxes), patience)
    await expect.poll(async () => (await client.getHealthStatus({})).problem).toBeNull()
  })

  it('is asked again at once when its credentials are changed', async () => {
    const { client, uploads, relent, taken } = await underWay({ status: 401, body: {} })
    await vi.waitFor(() => expect(uploads()).toBeGreaterThan(0), patience)
    relent()
    await client.updateSettings({ body: { documo_api_key: 'new' } })
    await vi.waitFor(() => expect(taken()).toBe(faxes), patience)
  })

  it('that names a time is not asked before it', async () => {
    const { client, uploads, jobs } = await underWay({ status: 429, headers: { 'retry-after': '3000' }, body: {} })
    await vi.waitFor(
      async () => expect(String((await client.getHealthStatus({})).problem)).toContain('asked for fewer faxes'),
      patience,
    )
    await vi.waitFor(
      async () => expect((await jobs()).some(({ error_kind: kind }) => kind === 'rate_limited')).toBe(true),
      patience,
    )
    // Those that were under way together may all have been refused; nothing follows them.
    const refused = uploads()
    await expect
      .poll(async () => (await jobs()).filter(({ status }) => status === 'queued').length)
      .toBe(faxes - refused)
    expect((await jobs()).every(({ status }) => status !== 'FAILED')).toBe(true)
    const { findings } = await client.runDiagnostics({})
    expect(findings.find(({ check }) => check === 'reachable')?.sentence).toBe(
      'Documo (mFax) is working but asked for fewer faxes at a time, so new ones wait. No action is needed. Nothing is lost.',
    )
  })
})
