import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AsteriskProgram, findAsterisk } from './install.ts'
import { ManagedLine, ownNumber } from './managed-line.ts'
import { Relay } from './relay.ts'

const program = findAsterisk()
// A fax that waits, and its call: two minutes.
const long = process.env.FAXDECK_LONG !== undefined

describe.skipIf(!program || !long)('the account of a SIP trunk', () => {
  let line: ManagedLine
  let relay: Relay

  beforeAll(async () => {
    const settings = { retry_unreachable_first_seconds: 600, inbound_enabled: true }
    line = await ManagedLine.start(program as AsteriskProgram, settings, {}, async ({ options }) => {
      relay = await Relay.start(options.sipPort)
      return relay.address
    })
    await line.registered()
  })
  afterAll(async () => {
    await line.stop()
    relay.close()
  })

  it('is validated as it is typed, whatever is in force', async () => {
    const { client } = line.gateway
    const validate = async (body: object) => {
      const { checks } = await client.validateSettings({ body: { backend: 'trunk', ...body } })
      return [checks.trunk_registered, checks.carrier_answers]
    }
    expect(await validate({})).toEqual([true, true])
    const { host } = line.carrier
    expect(await validate({ trunk_host: host })).toEqual([true, true])
    expect(await validate({ trunk_host: host, trunk_password: 'totally-wrong' })).toEqual([false, true])
    expect(await validate({ trunk_host: host, trunk_user: 'somebody-else' })).toEqual([false, true])
    expect(await validate({ trunk_host: '127.0.0.1:9' })).toEqual([false, false])
    // Asking led no call elsewhere.
    expect(await validate({})).toEqual([true, true])
  })

  it('is called by nobody where the carrier redirects a call to its own number', async () => {
    relay.redirectTo = ownNumber
    const job = await line.firstEnd(await line.send('+15557770302'))
    relay.redirectTo = undefined
    expect(job).toMatchObject({ status: 'FAILED', error: expect.stringContaining('redirects this number') as string })
    expect(job.attempts).toHaveLength(1)
    expect(job.attempts[0]?.call?.sip).toMatch(/^302/)
    expect(await line.gateway.client.listInbound({ query: {} })).toEqual([])
    expect(line.carrier.callsTo(ownNumber)).toBe(0)
  })

  it('that the carrier refuses holds its faxes, says so, and sends them as soon as it is right again', async () => {
    const { client } = line.gateway
    await line.carrier.down()
    await line.carrier.up({ password: 'another-one' })
    const id = await line.send('+15557770401')
    const held = await line.firstEnd(id)
    expect(held).toMatchObject({
      status: 'in_progress',
      error_kind: 'bad_credentials',
      error: expect.stringContaining('user name or') as string,
    })
    await client.updateSettings({ body: { trunk_password: 'another-one' } })
    const sent = await line.reach(id, 'the fax to arrive', ({ status }) => status === 'SUCCESS')
    expect(sent.pages_confirmed).toBe(2)
    expect(line.carrier.received('+15557770401')).toHaveLength(1)
  })
})
