import { type ChildProcess, spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Campaign, campaignSettings, printVerdict } from './campaign.ts'
import { type AsteriskProgram, findAsterisk } from './install.ts'
import { ManagedLine } from './managed-line.ts'
import { canJudgePixels } from './witness.ts'

const program = findAsterisk()
const long = process.env.FAXDECK_LONG !== undefined
const faxes = 8
const patienceSeconds = 300
const timeout = 1000 * (patienceSeconds + 60)

describe.skipIf(!program || !long || !canJudgePixels)('faxes over audio from a machine that is busy', () => {
  let line: ManagedLine
  let loops: ChildProcess[] = []

  beforeAll(async () => {
    const settings = { ...campaignSettings, retry_line_error_times: 0, trunk_t38: 'off' }
    line = await ManagedLine.start(program as AsteriskProgram, settings, { jitterBuffer: false })
    await line.registered()
    loops = Array.from({ length: availableParallelism() }, () =>
      spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
    )
  })
  afterAll(async () => {
    for (const loop of loops) loop.kill('SIGKILL')
    await line.stop()
  })

  it.each([1, 2, 3])('all arrive at the first try, round %i', { timeout }, async (round) => {
    const campaign = await Campaign.open(line)
    for (let index = 0; index < faxes; index++) await campaign.send(`+15557700${round}${index}0`)
    const jobs = await campaign.ended(patienceSeconds)
    const verdict = campaign.verdictOf(jobs)
    const calls = jobs.map(({ attempts, error }) => [attempts.at(-1)?.call?.jitter_ms, error])
    printVerdict(`Busy machine, round ${round}:`, verdict, { calls })
    expect(verdict).toMatchObject({ delivered: faxes, lost: [], doubled: [], falseEndings: [] })
  })
})
