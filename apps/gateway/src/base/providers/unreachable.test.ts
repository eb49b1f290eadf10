import { type EmulatedServer, serve } from '@faxdeck/provider-kit/emulator'
import { describe, expect, it, vi } from 'vitest'
import { through } from '../../testing/through-emulator.ts'

const patience = { timeout: 15_000, interval: 20 }

/** Documo at an address where nothing listens any more. */
async function broken() {
  const gone = await serve(() => 'cut')
  await gone.close()
  return {
    FAX_BACKEND: 'documo',
    DOCUMO_API_KEY: 'k',
    DOCUMO_BASE_URL: gone.origin,
    PAUSE_AFTER_FAILURES: '1',
    RETRY_UNREACHABLE_FIRST_SECONDS: '1',
  }
}

describe.each(['phaxio', 'sinch', 'signalwire', 'documo'])('%s that takes no faxes for now', (id) => {
  const body = { success: false, code: '503', message: 'Down for maintenance' }
  const outage = (stage: Awaited<ReturnType<typeof through>>, reply: object) => {
    const server = stage.emulator as typeof stage.emulator & Pick<EmulatedServer, 'answerNext'>
    server.answerNext({ status: 503, headers: { 'retry-after': '1' }, ...reply }, /\/faxes$/i)
  }

  it('and says so itself gets each fax once it does, and needs nobody for that', async () => {
    const stage = await through(id, { SINCH_AUTH_METHOD: 'basic', RETRY_UNREACHABLE_FIRST_SECONDS: '1' })
    outage(stage, { body })
    outage(stage, { body })
    const faxId = await stage.send('+15555550123')
    await vi.waitFor(async () => expect((await stage.job(faxId)).status).toBe('SUCCESS'), patience)
    const { attempts, timeline } = await stage.job(faxId)
    expect(attempts.map(({ kind }) => kind)).toEqual(['unreachable', 'unreachable', null])
    expect(timeline.map(({ event }) => event)).not.toContain('uncertain')
    expect(stage.emulator.faxes).toHaveLength(1)
  })

  it('by the word of a proxy before it may have got the fax', async () => {
    const stage = await through(id, { SINCH_AUTH_METHOD: 'basic' })
    outage(stage, { bytes: Buffer.from('<html>Backend fetch failed') })
    const faxId = await stage.send('+15555550123')
    const events = async () => (await stage.job(faxId)).timeline.map(({ event }) => event)
    await vi.waitFor(async () => expect(await events()).toContain('uncertain'), patience)
  })
})

describe('a provider that cannot be reached', () => {
  it('is shown on the dashboard and in the diagnostics, and no fax fails for it', async () => {
    const { client, send, job, gatewayUrl } = await through('signalwire', await broken())
    const first = await send('+15555550123')
    const health = () => client.getHealthStatus({})
    await vi.waitFor(async () => expect((await health()).backend_healthy).toBe(false), patience)
    const second = await send('+15555550124')
    const sentence = expect.stringMatching(
      /^Documo \(mFax\) cannot be reached since .* UTC\. New faxes wait/,
    ) as unknown
    expect((await health()).problem).toEqual(sentence)
    expect((await client.getActivity({ query: {} })).attention).toMatchObject([{ kind: 'unhealthy', sentence }])
    const { findings } = await client.runDiagnostics({})
    expect(findings.find(({ check }) => check === 'reachable')).toMatchObject({ passed: false, detail: sentence })
    const metrics = await (await fetch(`${gatewayUrl}/metrics`)).text()
    expect(metrics).toMatch(/^faxdeck_provider_paused\{provider="documo"\} 1$/m)
    expect([(await job(first)).error_kind, (await job(second)).attempt_count]).toEqual(['unreachable', 0])
  })

  it('is stood in for by another, which sends each fax once', async () => {
    const { emulator, send, job } = await through('signalwire', {
      ...(await broken()),
      FAX_FAILOVER_BACKEND: 'signalwire',
    })
    const ids = [await send('+15555550123'), await send('+15555550124'), await send('+15555550125')]
    for (const id of ids) {
      await vi.waitFor(async () => expect((await job(id)).status).toBe('SUCCESS'), patience)
      const { backend, attempts } = await job(id)
      expect([backend, attempts.at(-1)?.provider]).toEqual(['signalwire', 'signalwire'])
      expect(attempts.slice(0, -1).every(({ kind }) => kind === 'unreachable')).toBe(true)
    }
    expect(emulator.faxes.map(({ to }) => to).sort()).toEqual(['+15555550123', '+15555550124', '+15555550125'])
  })
})
