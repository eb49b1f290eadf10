import { describe, expect, it } from 'vitest'
import { startGateway } from '../../testing/start-gateway.ts'

const account = { PHAXIO_API_KEY: 'k', PHAXIO_API_SECRET: 's', PHAXIO_CALLBACK_TOKEN: 'token' }
const internal = { ASTERISK_INBOUND_SECRET: 'a-secret-of-the-switchboard', FAX_INBOUND_BACKEND: 'sip' }

async function switchboard(env: Record<string, string> = {}) {
  const gateway = await startGateway({ env: { ...account, ...internal, ...env, INBOUND_ENABLED: 'false' } })
  const bring = async (uniqueid: string) => {
    const { statusCode } = await gateway.app.inject({
      method: 'POST',
      url: '/_internal/asterisk/inbound',
      headers: { 'x-internal-secret': internal.ASTERISK_INBOUND_SECRET, 'content-type': 'application/json' },
      payload: JSON.stringify({ uniqueid, tiff_path: null, faxstatus: 'FAILED' }),
    })
    return statusCode
  }
  const reported = async () => {
    const { findings } = await gateway.client.runDiagnostics({})
    const { attention } = await gateway.client.getActivity({ query: {} })
    return {
      finding: findings.find(({ check }) => check === 'nothing_left_behind'),
      attention: attention.map(({ sentence }) => sentence).filter((sentence) => sentence.includes('receiving')),
    }
  }
  return { ...gateway, bring, reported }
}

describe('faxes that were brought while receiving is off', () => {
  it('are counted once each, in diagnostics and among what needs attention, until they have arrived', async () => {
    const { client, bring, reported } = await switchboard()
    expect(await reported()).toMatchObject({ finding: { passed: true }, attention: [] })
    for (const id of ['1.1', '1.2', '1.1', '1.3']) expect(await bring(id)).toBe(503)
    const off =
      / has tried to deliver 3 faxes since \d{4}-\d\d-\d\d \d\d:\d\d UTC while receiving is off\. Turn on inbound/
    expect(await reported()).toMatchObject({
      finding: { passed: false, severity: 'warning', setting: 'inbound_enabled', sentence: expect.stringMatching(off) },
      attention: [expect.stringMatching(off)],
    })
    await client.updateSettings({ body: { inbound_enabled: true } })
    for (const id of ['1.1', '1.2']) expect(await bring(id)).toBe(200)
    const on = / tried to deliver 1 fax from .* on while receiving was off, and has not tried it again yet/
    expect((await reported()).attention).toEqual([expect.stringMatching(on)])
    expect(await bring('1.3')).toBe(200)
    expect(await reported()).toMatchObject({ finding: { passed: true }, attention: [] })
  })
})
