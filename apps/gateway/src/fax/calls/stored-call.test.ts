import type { CallRecord, StatusUpdate } from '@faxdeck/provider-kit'
import { describe, expect, it } from 'vitest'
import { readJob } from '../read/read-job.ts'
import { report } from '../line/report.ts'
import { onEachDatabase } from '../../testing/databases.ts'
import { faxDesk } from '../../testing/fax-desk.ts'
import { makeLine } from '../../testing/made-line.ts'

const call: CallRecord = {
  transport: 'audio',
  station: 'Ward 7',
  ecm: true,
  speeds: [
    { bps: 14_400, after_page: 0 },
    { bps: 9600, after_page: 2 },
  ],
  pages: 3,
  steps: [{ step: 'answered', at: '2026-11-23T09:00:04.000Z' }],
}
const ended = { state: 'delivered', pagesConfirmed: 3, call } as const
const busy = { state: 'failed', kind: 'busy', sentence: 'The line was busy.', call: { cause: 17 } } as const

onEachDatabase((open) => {
  async function fax() {
    const made = makeLine()
    const desk = await faxDesk(await open(), made)
    const { id } = await desk.submit({ pages: 3 })
    await desk.work()
    const attemptId = made.handed[0]?.attemptId ?? ''
    const reported = (update: StatusUpdate) => report(desk.context, 'made', { ...update, attemptId })
    const calls = async () => (await readJob(desk.context, id)).attempts.map((attempt) => attempt.call)
    return { ...desk, id, made, reported, calls }
  }

  describe('what a call did', () => {
    it('is kept with its attempt and shown with it', async () => {
      const { reported, calls } = await fax()
      expect(await calls()).toEqual([null])
      await reported(ended)
      expect(await calls()).toEqual([call])
    })

    it('is learned also when the end was reported before without it, and again with more', async () => {
      const { reported, calls, id, jobOf } = await fax()
      const { call: _, ...bare } = ended
      await reported(bare)
      await reported(ended)
      await reported({ ...ended, call: { cause: 16, sip: '200 OK' } })
      expect(await calls()).toEqual([{ ...call, cause: 16, sip: '200 OK' }])
      expect(await jobOf(id)).toMatchObject({ phase: 'delivered', attempt_count: 1 })
    })

    it('is that of each attempt, when the first was busy', async () => {
      const { reported, calls, work, pass, made, context } = await fax()
      await reported(busy)
      pass(3_600_000)
      await work()
      await report(context, 'made', { ...ended, attemptId: made.handed[1]?.attemptId ?? '' })
      expect(await calls()).toEqual([{ cause: 17 }, call])
    })

    it('is bounded, whatever reports it', async () => {
      const { reported, calls } = await fax()
      await reported({ ...ended, call: { station: `\u202e${'x'.repeat(100_000)}`, pages: 3 } })
      expect(await calls()).toEqual([{ station: 'x'.repeat(60), pages: 3 }])
    })
  })
})
