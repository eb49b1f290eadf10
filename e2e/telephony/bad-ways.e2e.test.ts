import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Campaign, campaignSettings, printVerdict } from './campaign.ts'
import { type AsteriskProgram, findAsterisk } from './install.ts'
import { ManagedLine } from './managed-line.ts'
import { Relay } from './relay.ts'
import { canJudgePixels } from './witness.ts'

const program = findAsterisk()
// A good way takes half a minute; over a bad one, a fax is tried three times, and sends a page again for minutes each time.
const long = process.env.FAXDECK_LONG !== undefined
const faxes = 8
const patienceSeconds = 2400
const timeout = 1000 * (patienceSeconds + 300)
/** Machines that ask for T.38 at the moment when the line does. */
const slowNumbers = '+155526'
const clean = { lost: [], doubled: [], falseEndings: [] }

describe.skipIf(!program || !long || !canJudgePixels)('faxes over a bad way to the carrier', () => {
  let line: ManagedLine
  let relay: Relay
  let round = 0

  beforeAll(async () => {
    const settings = { ...campaignSettings, trunk_channels: 10, trunk_ring_seconds: 20 }
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

  const sendMany = async (title: string, prefix = '+155571') => {
    round += 1
    const campaign = await Campaign.open(line)
    const before = { ...relay.counts }
    for (let index = 0; index < faxes; index++)
      await campaign.send(`${prefix}${round}00${String(index).padStart(2, '0')}`)
    const jobs = await campaign.ended(patienceSeconds)
    const [packets, lost] = [relay.counts.packets - before.packets, relay.counts.lost - before.lost]
    const verdict = campaign.verdictOf(jobs)
    const jitter = jobs.map(({ attempts }) => attempts.map(({ call, kind }) => [call?.jitter_ms, kind]))
    const speeds = jobs.map(({ attempts }) => attempts.at(-1)?.call?.speeds?.at(-1)?.bps)
    printVerdict(title, verdict, { packets, 'packets lost': lost, speeds, jitter })
    return { jobs, verdict }
  }

  it.each([
    ['audio', 0, 0],
    ['audio', 1, 0],
    ['audio', 3, 0],
    ['audio', 0, 60],
    ['T.38', 1, 0],
    ['T.38', 3, 60],
  ] as const)(
    'over %s with %i of 100 packets lost and %i ms of jitter end as they truly ended',
    { timeout },
    async (...way) => {
      const [transport, lossPercent, jitterMs] = way
      await line.gateway.client.updateSettings({ body: { trunk_t38: transport === 'audio' ? 'off' : 'request' } })
      await line.registered()
      relay.impairment = { lossPercent, jitterMs }
      const { verdict } = await sendMany(`${transport}, ${lossPercent} % lost, ${jitterMs} ms jitter:`)
      expect(verdict).toMatchObject(clean)
      // T.38 carries every packet more than once.
      if (transport === 'T.38') expect(verdict.delivered).toBe(faxes)
    },
  )

  it('arrive although both sides ask for T.38 at the same moment', { timeout }, async () => {
    relay.impairment = { lossPercent: 0, jitterMs: 0 }
    await line.gateway.client.updateSettings({ body: { trunk_t38: 'request' } })
    await line.registered()
    relay.makesGlare = true
    const { verdict, jobs } = await sendMany('Glare:', slowNumbers)
    console.log('Re-INVITEs that crossed, and answers 491:', relay.counts.crossed, relay.counts.pending)
    console.log('Transports:', jobs.map(({ attempts }) => attempts.at(-1)?.call?.transport).join())
    expect(relay.counts.crossed).toBeGreaterThan(0)
    expect(relay.counts.pending).toBeGreaterThan(0)
    expect(verdict).toMatchObject({ ...clean, delivered: faxes })
  })
})
