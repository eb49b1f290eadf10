import { describe, expect, it, vi } from 'vitest'
import { startGateway } from '../testing/start-gateway.ts'
import { emulated, through } from '../testing/through-emulator.ts'

const patience = { timeout: 15_000, interval: 20 }

describe.each(emulated)('$name, through its stand-in', (provider) => {
  it('delivers a fax with its pages', async () => {
    const { send, job, emulator } = await through(provider)
    const id = await send('+15555550123')
    await vi.waitFor(async () => expect((await job(id)).status).toBe('SUCCESS'), patience)
    expect(await job(id)).toMatchObject({ attempts: [{ provider: provider.id, kind: null, pages_confirmed: 1 }] })
    expect(emulator.faxes.map(({ to }) => to.replace('+', ''))).toEqual(['15555550123'])
    expect(Buffer.from(emulator.faxes[0]?.pdf ?? []).toString('latin1', 0, 5)).toBe('%PDF-')
  })

  it('tries a busy line again later', async () => {
    const { send, job } = await through(provider)
    const id = await send('+15555550100')
    await vi.waitFor(async () => expect((await job(id)).next_try_at).not.toBeNull(), patience)
    expect(await job(id)).toMatchObject({ status: 'in_progress', attempts: [{ kind: 'busy' }] })
  })

  it('fails a fax that is refused, once', async () => {
    const { send, job, emulator } = await through(provider)
    const id = await send('+15555550102')
    await vi.waitFor(async () => expect((await job(id)).status).toBe('FAILED'), patience)
    const { attempts, error } = await job(id)
    expect(attempts.map(({ kind }) => kind)).toEqual([expect.stringMatching(/^(bad_number|rejected)$/)])
    expect(error).toMatch(/\.$/)
    expect(emulator.faxes).toEqual([])
  })

  it('sends nothing twice when the answer is lost', async () => {
    const { send, job, client, emulator } = await through(provider)
    const id = await send('+15555550106')
    await vi.waitFor(async () => {
      await client.refreshJob({ params: { id } })
      expect((await job(id)).status).toBe('SUCCESS')
    }, patience)
    expect((await job(id)).attempts).toHaveLength(1)
    expect(emulator.faxes).toHaveLength(1)
  })

  it('finds out by itself what no callback told', async () => {
    const { send, job, client } = await through(provider)
    const id = await send('+15555550107')
    await vi.waitFor(async () => {
      await client.refreshJob({ params: { id } })
      expect((await job(id)).status).toBe('SUCCESS')
    }, patience)
  })

  it('receives a fax once, though it is told twice', async () => {
    const { client, emulator } = await through(provider)
    const pdf = Buffer.from(await (await drawnPdf()).arrayBuffer())
    await emulator.receive({ from: '+15550100009', to: '+15550100001', pages: 1, pdf, told: 'twice' })
    const list = () => client.listInbound({ query: {} })
    await vi.waitFor(async () => expect((await list()).map(({ status }) => status)).toEqual(['received']), patience)
    const [fax] = await list()
    expect(fax).toMatchObject({ backend: provider.id, pages: 1, fr: expect.stringContaining('15550100009') as unknown })
    const kept = await client.getInboundPdf({ params: { id: fax?.id ?? '' } })
    expect(Buffer.from(await kept.arrayBuffer()).equals(pdf)).toBe(true)
  })

  it('believes nobody who cannot prove that the provider speaks', async () => {
    const { client, gatewayUrl } = await through(provider)
    for (const { path } of provider.webhooks) {
      const body = new URLSearchParams({ FaxSid: 'x', FaxStatus: 'received', messageId: 'x', fax: '{"id":1}' })
      const answer = await fetch(`${gatewayUrl}${path}?received=1`, { method: 'POST', body })
      expect([path, answer.status]).toEqual([path, 401])
    }
    expect(await client.listInbound({ query: {} })).toEqual([])
  })

  it('finds its credentials good, and others not', async () => {
    const { client, emulator } = await through(provider)
    const good = await client.validateSettings({ body: { backend: provider.id } })
    expect(good.findings.filter(({ passed, severity }) => !passed && severity === 'critical')).toEqual([])
    const secrets = provider.settings.filter(({ type, env }) => type === 'secret' && env in emulator.env)
    const wrong = Object.fromEntries(secrets.map(({ key }) => [key, 'wrong']))
    const bad = await client.validateSettings({ body: { backend: provider.id, ...wrong } })
    expect(bad.findings.filter(({ passed, severity }) => !passed && severity === 'critical')).not.toEqual([])
    expect(bad.error).toContain('refused the credentials')
  })
})

/** A one-page PDF that a fax program can read. */
async function drawnPdf(): Promise<Blob> {
  const { client } = await startGateway()
  const file = new File(['Received.'], 'a.txt')
  const { id } = await client.submitFax({ form: { to: '+15555550123', file } })
  return client.getJobPdf({ params: { id } })
}
