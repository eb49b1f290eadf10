import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findOpenssl } from '../../apps/gateway/src/features/diagnostics/testing/certificates.ts'
import { Carrier } from './carrier.ts'
import { type AsteriskProgram, findAsterisk } from './install.ts'
import { ManagedLine, ownNumber } from './managed-line.ts'

const program = findAsterisk()
const long = process.env.FAXDECK_LONG !== undefined
const secondNumber = '+15551230002'
const ofOther = '+15551240001'

const isDelivered = ({ status }: { status: string }) => status === 'SUCCESS'

describe.skipIf(!program)('a SIP trunk', () => {
  let line: ManagedLine
  const settings = (body: Record<string, string>) => line.gateway.client.updateSettings({ body })
  const deliver = async (to: string) => line.reach(await line.send(to), 'the delivery', isDelivered)

  beforeAll(async () => {
    line = await ManagedLine.start(program as AsteriskProgram, { trunk_caller_ids: `+1555778=${secondNumber}` })
    await line.registered()
  })
  afterAll(() => line.stop())

  it('shows the first number, and another one to the destinations it is for', async () => {
    await Promise.all(['+15557770011', '+15557780011'].map(deliver))
    expect(line.carrier.received('+15557770011')).toMatchObject([{ from: ownNumber.slice(1) }])
    expect(line.carrier.received('+15557780011')).toMatchObject([{ from: secondNumber.slice(1) }])
    expect(line.carrier.callsOf('+15557780011')).toMatchObject([{ station: 'ACME FAX' }])
  })

  it('shows the number of the group that a fax is sent for', async () => {
    const { client } = line.gateway
    const { id } = await client.createGroup({ body: { name: 'Ward 3B' } })
    await client.addGroupNumber({ params: { id, number: secondNumber } })
    await client.setGroupCallingNumber({ params: { id }, body: { number: secondNumber } })
    const file = new File(['Dear all,\nof the ward.\n'], 'letter.txt')
    const fax = await client.submitFax({ form: { to: '+15557770012', file, group_id: id } })
    await line.reach(fax.id, 'the delivery', isDelivered)
    expect(line.carrier.received('+15557770012')).toMatchObject([{ from: secondNumber.slice(1) }])
    expect(line.carrier.callsOf('+15557770012')).toMatchObject([{ station: 'ACME FAX', pages: 1 }])
  })

  it.runIf(long)('keeps to its top speed, over T.38 and over audio', { timeout: 240_000 }, async () => {
    for (const [t38, number] of [
      ['request', '+15557770013'],
      ['off', '+15557770014'],
    ] as const) {
      await settings({ trunk_speed: '9600', trunk_t38: t38 })
      await line.registered()
      await deliver(number)
      const [call] = line.carrier.callsOf(number)
      expect(call?.speed).toBeLessThanOrEqual(9600)
      expect(call?.speed).toBeGreaterThan(0)
    }
    await settings({ trunk_speed: '14400', trunk_t38: 'auto' })
    await line.registered()
    await deliver('+15557770015')
    expect(line.carrier.callsOf('+15557770015')).toMatchObject([{ speed: 14_400 }])
  })

  it.runIf(long)(
    'calls nobody in its quiet hours, and sends what waited when they are over',
    { timeout: 240_000 },
    async () => {
      const hour = (ahead: number) => `${String((new Date().getHours() + 24 + ahead) % 24).padStart(2, '0')}:00`
      await settings({ trunk_quiet_hours: `${hour(-1)}-${hour(3)}` })
      await line.registered()
      const id = await line.send('+15557770016')
      const waiting = await line.reach(id, 'the fax to wait', ({ error }) => error?.startsWith('Quiet hours') === true)
      expect(waiting).toMatchObject({ error_kind: 'rate_limited', needs_attention: false, provider_sid: null })
      await sleep(5000)
      expect(line.carrier.callsTo('+15557770016')).toBe(0)
      await settings({ trunk_quiet_hours: '' })
      await line.reach(id, 'the delivery', isDelivered)
      expect(line.carrier.callsTo('+15557770016')).toBe(1)
    },
  )
})

describe.skipIf(!program || !long)('two SIP trunks', () => {
  let line: ManagedLine
  let other: Carrier

  beforeAll(async () => {
    other = await Carrier.start(program as AsteriskProgram, { user: 'backup', password: 'secret' })
    line = await ManagedLine.start(program as AsteriskProgram, {
      trunk_more: `other host=${other.host} user=backup numbers=${ofOther} to=+15557 channels=4`,
      trunk_more_passwords: 'other=secret',
    })
    await line.registered()
  })
  afterAll(async () => {
    await line.stop()
    await other.stop()
  })

  it('carry a fax over the first one that serves its number', async () => {
    await line.reach(await line.send('+15557770021'), 'the delivery', isDelivered)
    expect(line.carrier.callsTo('+15557770021')).toBe(1)
    expect(other.callsTo('+15557770021')).toBe(0)
  })

  it('carry it over the next one when the first is away, from a number of that one', { timeout: 400_000 }, async () => {
    await line.carrier.down()
    const fax = await line.reach(await line.send('+15557770022'), 'the delivery', isDelivered, 240)
    expect(fax.attempts[0]).toMatchObject({ kind: 'unreachable', sentence: `${line.carrier.host} does not answer.` })
    expect(other.callsTo('+15557770022')).toBe(1)
    expect(other.received('+15557770022')).toMatchObject([{ from: ofOther.slice(1) }])
    const elsewhere = await line.send('+15558880022')
    const waiting = await line.reach(elsewhere, 'the fax to wait', ({ error_kind: kind }) => kind === 'unreachable')
    expect(waiting.error).toMatch(/does not answer|is not registered/)
    expect(other.callsTo('+15558880022')).toBe(0)
    await line.carrier.up()
    await line.reach(elsewhere, 'the delivery', isDelivered, 240)
    expect(line.carrier.callsTo('+15558880022')).toBe(1)
  })

  it('receive on the numbers of each', async () => {
    for (const carrier of [line.carrier, other]) {
      const to = carrier === other ? ofOther : ownNumber
      const [page] = line.carrier.received('+15557770021')
      const path = join(carrier.options.directory, 'incoming.tif')
      writeFileSync(path, page?.tiff ?? '')
      await carrier.sendFax(to, path)
      await expect
        .poll(async () => (await line.gateway.client.listInbound({ query: {} })).map((fax) => [fax.to, fax.status]), {
          timeout: 120_000,
        })
        .toContainEqual([to, 'received'])
    }
  })
})

/** A certificate for this machine's own address, which is its own authority. */
function ownCertificate() {
  const folder = mkdtempSync(join(tmpdir(), 'faxdeck-sip-'))
  const [cert, key] = [join(folder, 'own.crt'), join(folder, 'own.key')]
  const made = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '30', '-subj', '/CN=127.0.0.1']
  execFileSync('openssl', ['req', ...made, '-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', key, '-out', cert], {
    stdio: 'pipe',
  })
  return { folder, tls: { cert, key } }
}

describe.skipIf(!program || !long || !findOpenssl())('a SIP trunk over TLS and SRTP', () => {
  let line: ManagedLine
  let stranger: ManagedLine
  let certificate: ReturnType<typeof ownCertificate>

  beforeAll(async () => {
    certificate = ownCertificate()
    const { tls } = certificate
    const secured = { trunk_transport: 'tls', trunk_srtp: true, trunk_t38: 'off' }
    line = await ManagedLine.start(program as AsteriskProgram, secured, { tls })
    stranger = await ManagedLine.start(program as AsteriskProgram, secured, { tls, isUnknown: true })
    await line.registered()
  })
  afterAll(async () => {
    await line.stop()
    await stranger.stop()
    rmSync(certificate.folder, { recursive: true, force: true })
  })

  it('sends and receives with signaling and sound encrypted', { timeout: 240_000 }, async () => {
    await line.reach(await line.send('+15557770031'), 'the delivery', isDelivered)
    expect(line.carrier.callsOf('+15557770031')).toMatchObject([{ status: 'SUCCESS', pages: 2, secured: '11' }])
    await line.reach(await line.send(ownNumber), 'the delivery', isDelivered)
    await expect
      .poll(async () => await line.gateway.client.listInbound({ query: {} }), { timeout: 60_000 })
      .toMatchObject([{ to: ownNumber, status: 'received', pages: 2 }])
  })

  it('tells nothing to a carrier whose certificate it does not trust', { timeout: 240_000 }, async () => {
    const id = await stranger.send('+15557770032')
    await stranger.reach(id, 'the fax to wait', ({ error_kind: kind }) => kind === 'unreachable', 180)
    expect(stranger.carrier.callsTo('+15557770032')).toBe(0)
    const { checks } = await stranger.gateway.client.runDiagnostics({})
    expect(checks.trunk?.trunk_registered).toBe(false)
  })
})
