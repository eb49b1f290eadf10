import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Job } from '../../packages/contract/src/index.ts'
import { waitFor } from '../harness/wait.ts'
import { refusals, silentNumber, voiceNumber } from './carrier-configuration.ts'
import { type AsteriskProgram, findAsterisk } from './install.ts'
import { ManagedLine, ownNumber } from './managed-line.ts'

const program = findAsterisk()
const long = process.env.FAXDECK_LONG !== undefined
const timeout = 400_000
if (!program) console.log('The tests of the managed line are skipped: node e2e/telephony/run.ts install gets one.')

const bytesOf = async (blob: Blob) => Buffer.from(await blob.arrayBuffer())

/** What went out and came back over the carrier, compared pixel by pixel. */
async function expectCameBackWhole(line: ManagedLine, job: Job): Promise<void> {
  const { client } = line.gateway
  const received = await waitFor('the fax to come back', async () => {
    const faxes = (await client.listInbound({ query: {} })).filter(
      ({ to, status }) => to === ownNumber && status === 'received',
    )
    expect(faxes.length).toBeLessThan(2)
    return faxes[0]
  })
  expect(received).toMatchObject({ pages: 2, fr: ownNumber, backend: 'trunk' })
  for (const page of [1, 2]) {
    const sent = await bytesOf(await client.getJobPage({ params: { id: job.id, page }, query: {} }))
    const got = await bytesOf(await client.getInboundPage({ params: { id: received.id, page }, query: {} }))
    expect(got.equals(sent)).toBe(true)
  }
}

describe.skipIf(!program)('a SIP trunk, with an Asterisk that Faxdeck runs', () => {
  let line: ManagedLine
  let ends: Record<keyof typeof refusals | 'voice' | 'silent' | 'own', Job>

  beforeAll(async () => {
    line = await ManagedLine.start(program as AsteriskProgram)
    await line.registered()
    const own = await line.send(ownNumber)
    const slowly = long ? { voice: voiceNumber, silent: silentNumber } : {}
    const refused = Object.entries(refusals).map(([name, { number }]) => [name, number] as const)
    const called = [...refused, ...Object.entries(slowly)]
    const ids = await Promise.all(called.map(([, number]) => line.send(number)))
    const names = [...called.map(([name]) => name), 'own'] as (keyof typeof ends)[]
    const jobs = await Promise.all([...ids, own].map((id) => line.firstEnd(id)))
    ends = Object.fromEntries(names.map((name, index) => [name, jobs[index]])) as typeof ends
  })
  afterAll(() => line.stop())

  it('sends and receives, and every pixel comes back', async () => {
    expect(ends.own).toMatchObject({ status: 'SUCCESS', pages_confirmed: 2, attempt_count: 1 })
    await expectCameBackWhole(line, ends.own)
  })

  it.each([
    ['forbidden', 'rejected'],
    ['notFound', 'bad_number'],
    ['unavailable', 'no_answer'],
    ['busy', 'busy'],
    ['notAcceptable', 'line_error'],
    ['congested', 'line_error'],
    ...(long
      ? ([
          ['voice', 'line_error'],
          ['silent', 'no_answer'],
        ] as const)
      : []),
  ] as const)('calls %s what it is: %s', (name, kind) => {
    expect(ends[name]).toMatchObject({ error_kind: kind, attempt_count: 1 })
  })

  it('has nothing for the diagnostics to find', async () => {
    const { checks } = await line.gateway.client.runDiagnostics({})
    const ofTrunk = Object.values(checks).find((group) => 'trunk_registered' in group)
    expect(ofTrunk).toMatchObject({ asterisk_installed: true, asterisk_up: true, trunk_registered: true })
  })

  it.runIf(long)('starts Asterisk again when it dies in a call, and dials nothing twice', async () => {
    const number = '+15557770001'
    const id = await line.send(number, 4)
    await line.dialed(id)
    await waitFor('the call', async () => (line.carrier.callsTo(number) > 0 ? true : undefined))
    const before = line.enginePid
    process.kill(before ?? 0, 'SIGKILL')
    const begun = performance.now()
    const after = await waitFor('another Asterisk', async () =>
      line.enginePid === before ? undefined : line.enginePid,
    )
    console.log(`Asterisk was started again after ${Math.round(performance.now() - begun)} ms.`)
    expect(after).toBeDefined()
    const job = await line.firstEnd(id)
    expect(['uncertain', 'partial']).toContain(job.error_kind)
    expect(job.needs_attention).toBe(true)
    expect(line.carrier.callsTo(number)).toBe(1)
  })

  it.runIf(long)(
    'takes the running Asterisk over when the gateway dies in a call, which is delivered once',
    async () => {
      const number = '+15557770002'
      await line.registered()
      const id = await line.send(number)
      await line.dialed(id)
      const before = line.enginePid
      await line.gateway.kill()
      expect(line.enginePid).toBe(before)
      await line.gateway.start()
      expect(await line.firstEnd(id)).toMatchObject({ status: 'SUCCESS', attempt_count: 1 })
      expect(line.enginePid).toBe(before)
      expect(line.carrier.callsTo(number)).toBe(1)
    },
  )

  it.runIf(long)('dials nothing twice when both die in a call, and leaves the fax to a person', async () => {
    const number = '+15557770004'
    await line.registered()
    const id = await line.send(number, 4)
    await line.dialed(id)
    await waitFor('the call', async () => (line.carrier.callsTo(number) > 0 ? true : undefined))
    const before = line.enginePid
    await line.gateway.kill()
    process.kill(before ?? 0, 'SIGKILL')
    await line.gateway.start()
    expect(await line.firstEnd(id)).toMatchObject({ error_kind: 'uncertain', needs_attention: true })
    expect(line.enginePid).not.toBe(before)
    expect(line.carrier.callsTo(number)).toBe(1)
  })

  it.runIf(long)(
    'answers a call beyond its channels as busy, and sends when a channel is free again',
    { timeout },
    async () => {
      await line.gateway.client.updateSettings({ body: { trunk_channels: 1 } })
      await line.hasChannels(1)
      const [page] = line.carrier.received('+15557770002')
      const path = join(line.carrier.options.directory, 'incoming.tif')
      writeFileSync(path, page?.tiff ?? '')
      const { client } = line.gateway
      const calls = async () => (await client.getLines({})).channels
      // Faxes of the tests before, which are tried again, would take the channel.
      for (const { id } of Object.values(ends)) {
        const { actions } = await client.getJob({ params: { id } })
        if (actions.includes('cancel')) await client.cancelFax({ params: { id } })
      }
      await waitFor('the calls to be over', async () => ((await calls()).length === 0 ? true : undefined), 60)
      // The change of the channels made it sign in anew.
      await line.registered()
      await line.carrier.sendFax(ownNumber, path)
      await waitFor('the received call', async () => (await calls()).find(({ direction }) => direction === 'received'))
      await line.carrier.call('+15551230002')
      const id = await line.send('+15557770005')
      expect(await line.firstEnd(id)).toMatchObject({ error_kind: 'rate_limited' })
      expect(line.carrier.callsTo('+15557770005')).toBe(0)
      expect(await line.carrier.ending('+15551230002')).toBe('BUSY')
      await line.reach(id, 'the delivery', ({ status }) => status === 'SUCCESS', 180)
      await line.gateway.client.updateSettings({ body: { trunk_channels: 20 } })
      await line.registered()
    },
  )

  it.runIf(long)('waits while the carrier is away, and sends when it is back', { timeout }, async () => {
    await line.carrier.down()
    await line.carrier.up()
    const number = '+15557770003'
    const id = await line.send(number)
    expect(await line.reach(id, 'the delivery', ({ status }) => status === 'SUCCESS', 180)).toMatchObject({
      pages_confirmed: 2,
    })
    expect(line.carrier.callsTo(number)).toBe(1)
  })
})
