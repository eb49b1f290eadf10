import { afterAll, describe, expect, it } from 'vitest'
import { Campaign, campaignSettings, printVerdict } from './campaign.ts'
import type { CarrierOptions } from './carrier-configuration.ts'
import { type AsteriskProgram, findAsterisk } from './install.ts'
import { ManagedLine } from './managed-line.ts'
import { canJudgePixels } from './witness.ts'

const program = findAsterisk()
// Four lines, and calls that wait for what does not come.
const long = process.env.FAXDECK_LONG !== undefined
const clean = { lost: [], doubled: [], falseEndings: [] }
const timeout = 400_000

describe.skipIf(!program || !long || !canJudgePixels)('a carrier that refuses', () => {
  const lines: ManagedLine[] = []
  afterAll(async () => {
    for (const line of lines) await line.stop()
  })

  const sendOver = async (title: string, settings: object, options: Partial<CarrierOptions>) => {
    const line = await ManagedLine.start(program as AsteriskProgram, { ...campaignSettings, ...settings }, options)
    lines.push(line)
    await line.registered()
    const campaign = await Campaign.open(line, 2, 2)
    for (const to of ['+15557100001', '+15557100002']) await campaign.send(to)
    const jobs = await campaign.ended(300)
    const verdict = campaign.verdictOf(jobs)
    printVerdict(`${title}:`, verdict, { said: jobs.map(({ error }) => error) })
    expect(verdict).toMatchObject(clean)
    return { verdict, said: jobs.map(({ error }) => error), calls: jobs.map(({ attempts }) => attempts.at(-1)?.call) }
  }

  it('T.38 gets the fax as audio', { timeout }, async () => {
    const { verdict, calls } = await sendOver('T.38 refused', { trunk_t38: 'request' }, { t38: false })
    expect(verdict.delivered).toBe(2)
    expect(calls).toMatchObject([{ transport: 'audio' }, { transport: 'audio' }])
  })

  it('T.38, where nothing else may be used, gets no page, and that is what the fax says', { timeout }, async () => {
    const { verdict, said } = await sendOver('T.38 only, and refused', { trunk_t38: 'only' }, { t38: false })
    expect(verdict).toMatchObject({ delivered: 0, failed: { line_error: 2 } })
    for (const sentence of said) expect(sentence).toMatch(/^T\.38 was not established/)
  })

  it('every codec that carries a fax gets no page, and that is what the fax says', { timeout }, async () => {
    const { verdict } = await sendOver('Audio refused', {}, { codecs: 'gsm' })
    expect(verdict).toMatchObject({ delivered: 0, failed: { line_error: 2 } })
  })
})

describe.skipIf(!program || !long)('a carrier whose name is not found', () => {
  it('is called as soon as it is, and no fax ends before', { timeout }, async () => {
    const line = await ManagedLine.start(program as AsteriskProgram, campaignSettings, {}, async ({ options }) =>
      Promise.resolve(`carrier.invalid:${options.sipPort}`),
    )
    try {
      const id = await line.send('+15557100003')
      const waiting = await line.firstEnd(id)
      expect(waiting).toMatchObject({ status: 'in_progress', error_kind: 'unreachable' })
      expect(line.carrier.callsTo('+15557100003')).toBe(0)
      await line.gateway.client.updateSettings({ body: { trunk_host: line.carrier.host } })
      const job = await line.reach(id, 'the delivery', ({ status }) => status === 'SUCCESS', 180)
      expect(job.pages_confirmed).toBe(2)
      expect(line.carrier.callsTo('+15557100003')).toBe(1)
    } finally {
      await line.stop()
    }
  })
})
