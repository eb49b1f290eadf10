import { freshFolder, RecordingHost } from '@faxdeck/provider-kit/testing/recording-host'
import { describe, expect, it } from 'vitest'
import { trunk } from '../index.ts'
import { madeCarrier } from '../testing/made-carrier.ts'

const defaults = Object.fromEntries(trunk.settings.map((row) => [row.key, row.default]))
const account = { user: 'customer', password: 'right' }
const md5 = 'Digest realm="sip.example", nonce="n2", algorithm=MD5'

async function check(name: string, settings: object) {
  const found = trunk.checks.find((each) => each.name === name)
  const host = new RecordingHost(await freshFolder())
  const typed = { ...defaults, trunk_user: 'customer', trunk_password: 'right', trunk_bind: '127.0.0.1', ...settings }
  return found?.run(typed, host, AbortSignal.timeout(3000), { receiving: true })
}

describe('user and password that were typed', () => {
  it.each([
    ['over UDP that loses packets', 'udp', {}],
    ['over TCP', 'tcp', {}],
    ['with MD5 and no qop', 'udp', { challenges: [md5] }],
    ['of a proxy', 'tcp', { header: '407 Proxy Authentication Required' }],
    ['with the algorithm that is known', 'tcp', { challenges: ['Digest realm="a", nonce="b", algorithm=X', md5] }],
  ] as const)('are tried at the carrier, %s', async (_title, transport, ways) => {
    const { host } = await madeCarrier(transport, { ...account, ...ways })
    const settings = { trunk_host: host, trunk_transport: transport }
    expect(await check('trunk_registered', settings)).toMatchObject({ passed: true })
    const wrong = await check('trunk_registered', { ...settings, trunk_password: 'totally-wrong' })
    expect(wrong).toMatchObject({ passed: false, detail: expect.stringMatching(/answered 40[17]/) as string })
    expect(wrong?.untried).toBeUndefined()
  })

  it('are refused by a carrier that forbids what is wrong', async () => {
    const { host } = await madeCarrier('tcp', { ...account, refusal: '403 Forbidden' })
    const settings = { trunk_host: host, trunk_transport: 'tcp', trunk_password: 'wrong' }
    expect(await check('trunk_registered', settings)).toMatchObject({
      passed: false,
      detail: `${host} answered 403 Forbidden.`,
    })
  })

  it('lead no call of the number elsewhere', async () => {
    const { host, requests } = await madeCarrier('tcp', account)
    await check('trunk_registered', { trunk_host: host, trunk_transport: 'tcp' })
    expect(requests).toHaveLength(2)
    for (const request of requests) expect(request).not.toMatch(/^(Contact|m|Expires):/im)
  })

  it('are tried for every trunk, and the one that fails is named', async () => {
    const [good, other] = [await madeCarrier('tcp', account), await madeCarrier('tcp', account)]
    const more = { trunk_more: `backup host=${other.host} user=customer`, trunk_more_passwords: 'backup=wrong' }
    const found = await check('trunk_registered', { trunk_host: good.host, trunk_transport: 'tcp', ...more })
    expect(found).toMatchObject({ passed: false, detail: expect.stringContaining(other.host) as string })
  })

  it('are said to be untried where the answer is about something else', async () => {
    const { host } = await madeCarrier('tcp', { ...account, always: '503 Service Unavailable' })
    const found = await check('trunk_registered', { trunk_host: host, trunk_transport: 'tcp' })
    expect(found).toMatchObject({
      passed: false,
      untried: expect.stringContaining('503 Service Unavailable') as string,
    })
  })

  it('are not tried where one is missing, and the reason is true', async () => {
    const found = await check('trunk_registered', { trunk_host: '127.0.0.1', trunk_password: null })
    expect(found?.untried).toBe('Not run: a required setting is missing.')
  })
})

describe('a server that was typed', () => {
  it('is asked, whoever may call by it', async () => {
    const { host } = await madeCarrier('udp', account)
    const settings = { trunk_host: host, trunk_sign_in: 'ip' }
    expect(await check('carrier_answers', settings)).toMatchObject({ passed: true })
    expect(await check('trunk_registered', settings)).toMatchObject({ passed: true, detail: 'main: by address' })
  })

  it.each(['udp', 'tcp'])('fails where nothing listens, over %s', async (transport) => {
    const settings = { trunk_host: '127.0.0.1:9', trunk_transport: transport }
    const found = await check('trunk_registered', settings)
    expect(found).toMatchObject({ passed: false, detail: '127.0.0.1:9: nothing listens there.' })
    // The password was not tried, so that nothing is said of it.
    expect(found?.instead).toMatchObject({ setting: 'trunk_host' })
    expect(await check('carrier_answers', settings)).toMatchObject({ passed: false })
  })
})
