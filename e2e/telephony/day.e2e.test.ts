import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Campaign, campaignSettings, printVerdict } from './campaign.ts'
import { type AsteriskProgram, findAsterisk } from './install.ts'
import { IncomingTraffic } from './incoming-traffic.ts'
import { ManagedLine } from './managed-line.ts'
import { canJudgePixels } from './witness.ts'

const program = findAsterisk()
const long = process.env.FAXDECK_LONG !== undefined
const faxes = Number(process.env.FAXDECK_FAXES ?? 2000)
const clean = { lost: [], doubled: [], falseEndings: [] }
const timeout = 3_600_000

/** What answers, by the position of a fax in its twenty: most are machines, and the rest is as a day brings it. */
const prefixes = [
  '+155521',
  '+155522',
  '+155523',
  '+155524',
  '+155525',
  '+155525',
  ...Array<string>(14).fill('+155571'),
]
const numberOf = (index: number) => `${prefixes[index % 20]}${String(index).padStart(5, '0')}`

describe.skipIf(!program || !long || !canJudgePixels)('a managed line under load', () => {
  let line: ManagedLine

  beforeAll(async () => {
    const settings = { ...campaignSettings, trunk_channels: 80, trunk_ring_seconds: 20 }
    line = await ManagedLine.start(program as AsteriskProgram, settings)
    await line.registered()
  })
  afterAll(() => line.stop())

  it('carries 40 calls at once over audio', { timeout }, async () => {
    await line.gateway.client.updateSettings({ body: { trunk_t38: 'off' } })
    await line.registered()
    const campaign = await Campaign.open(line, 4, 1)
    const begun = performance.now()
    for (let index = 0; index < 40; index++) await campaign.send(`+1555723${String(index).padStart(4, '0')}`)
    const atOnce = await line.maxCalls(25)
    const verdict = campaign.verdictOf(await campaign.ended(300))
    printVerdict('40 at once:', verdict, { atOnce, seconds: Math.round((performance.now() - begun) / 1000) })
    expect(verdict).toMatchObject(clean)
    expect(atOnce).toBeGreaterThan(35)
  })

  it(`ends ${faxes} faxes as they truly ended, none lost and none doubled`, { timeout }, async () => {
    await line.gateway.client.updateSettings({ body: { trunk_t38: 'auto' } })
    await line.registered()
    const campaign = await Campaign.open(line, 20, 1)
    const begun = performance.now()
    for (let index = 0; index < faxes; index++) await campaign.send(numberOf(index))
    const incoming = IncomingTraffic.begin(line, campaign.pictureOf('+15557230000'))
    const jobs = await campaign.ended(3000)
    const arrived = await incoming.end()
    const verdict = campaign.verdictOf(jobs)
    const attempts = jobs.reduce((sum, job) => sum + job.attempt_count, 0)
    printVerdict('A day:', verdict, { faxes, attempts, minutes: ((performance.now() - begun) / 60_000).toFixed(1) })
    console.log('Received meanwhile:', JSON.stringify(arrived))
    expect(arrived).toMatchObject({ missing: [], twice: [], otherPixels: [] })
    expect(arrived.confirmed).toBeGreaterThan(0)
    expect(verdict).toMatchObject(clean)
    // An attempt may end before the carrier hears of it; no call is made without one.
    expect(verdict.calls).toBeLessThanOrEqual(attempts)
    const machines = campaign.given.filter(({ to }) => to.startsWith('+155571')).length
    expect(verdict.delivered).toBeGreaterThanOrEqual(machines)
  })
})
