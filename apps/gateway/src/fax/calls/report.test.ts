import type { CallRecord } from '@faxdeck/provider-kit'
import { describe, expect, it } from 'vitest'
import { report } from '../line/report.ts'
import { onEachDatabase } from '../../testing/databases.ts'
import { faxDesk } from '../../testing/fax-desk.ts'
import { makeLine } from '../../testing/made-line.ts'
import { countLineHours, peakOf, readLineUse } from './line-hours.ts'
import { readChannels } from './feature.ts'
import { readCallReport } from './report.ts'

const minute = 60_000
const good: CallRecord = { transport: 't38', speeds: [{ bps: 14_400, after_page: 0 }] }
const slow: CallRecord = {
  transport: 'audio',
  speeds: [
    { bps: 14_400, after_page: 0 },
    { bps: 4800, after_page: 1 },
  ],
}

onEachDatabase((open) => {
  async function office() {
    const made = makeLine()
    const desk = await faxDesk(await open(), made)
    const { database, providers, now } = desk.context
    const at = () => now().toISOString()
    /** A fax whose call is up for so long. */
    const call = async (to: string, update: object, record: CallRecord, ms = minute) => {
      await desk.submit({ to_number: to })
      await desk.work()
      const begin = at()
      desk.pass(ms)
      const steps = [...(record.steps ?? []), { step: 'dialed', at: begin }, { step: 'ended', at: at() }]
      const attemptId = made.handed.at(-1)?.attemptId ?? ''
      await report(desk.context, 'made', {
        state: 'delivered',
        ...update,
        attemptId,
        call: { ...record, steps },
      } as never)
    }
    return { ...desk, made, call, database, providers, now, at }
  }
  const brokeOff = { state: 'failed', kind: 'partial', sentence: 'The call was cut off.' } as const
  const busy = { state: 'failed', kind: 'busy', sentence: 'The line was busy.' } as const

  describe('the report of the last calls', () => {
    it('does not call a line cut off on which no fax machine was heard', async () => {
      const { call, database } = await office()
      const unheard = { state: 'failed', kind: 'line_error', sentence: 'Somebody answered.', again: 'unheard' } as const
      const answered: CallRecord = { steps: [{ step: 'answered', at: '2026-03-01T12:00:00.000Z' }] }
      await call('+15555550005', unheard, answered)
      await call('+15555550005', unheard, answered)
      const { numbers, broke_off } = await readCallReport(database)
      expect(broke_off).toBe(0)
      expect(numbers).toMatchObject([
        { broke_off: 0, not_reached: 2, trouble: 'No fax machine was heard in 2 of 2 calls.' },
      ])
    })

    it('puts the numbers that do badly first, says why, and hides the numbers', async () => {
      const { call, database } = await office()
      await call('+15555550001', {}, good)
      await call('+15555550002', brokeOff, slow)
      await call('+15555550002', brokeOff, slow)
      await call('+15555550003', {}, slow)
      await call('+15555550003', {}, slow)
      await call('+15555550004', busy, { cause: 17 })
      const { numbers, since, ...all } = await readCallReport(database)
      expect(all).toEqual({
        calls: 6,
        complete: 3,
        broke_off: 2,
        not_reached: 1,
        slowed: 4,
        over_t38: 1,
        over_audio: 4,
      })
      expect(since).not.toBeNull()
      expect(numbers.map(({ number, trouble }) => [number, trouble])).toEqual([
        ['********0002', '2 of 2 calls were cut off.'],
        ['********0003', '2 of 2 calls slowed down, to 4,800 bit/s at worst.'],
        ['********0004', null],
        ['********0001', null],
      ])
    })

    it('is empty where no engine reports calls', async () => {
      const { database } = await office()
      expect(await readCallReport(database)).toMatchObject({ calls: 0, since: null, numbers: [] })
    })
  })

  describe('how busy the lines were', () => {
    it('is counted from the calls themselves, the same however often', async () => {
      const { call, database, now } = await office()
      for (let fax = 0; fax < 4; fax += 1) await call(`+1555555000${fax}`, {}, good, 20 * minute)
      await countLineHours(database, now())
      const once = await database.db.selectFrom('line_hours').selectAll().orderBy('hour').execute()
      await countLineHours(database, now())
      expect(await database.db.selectFrom('line_hours').selectAll().orderBy('hour').execute()).toEqual(once)
      expect(once.reduce((sum, row) => sum + row.busy_seconds, 0)).toBe(4 * 20 * 60)
      expect(once.reduce((sum, row) => sum + row.calls, 0)).toBe(4)
      expect(Math.max(...once.map((row) => row.peak))).toBe(1)
      const [use] = await readLineUse(database, () => 2, now())
      expect(use).toMatchObject({ backend: 'made', calls: 4, peak: 1, allowed: 2, enough: null })
      expect(use?.basis).toMatch(/^Not enough traffic to estimate .*: 4 calls on [12] days?\./)
    })

    it('says how many lines are enough once there is traffic, with its basis', async () => {
      const { database, now } = await office()
      const start = Math.floor(now().getTime() / 86_400_000) * 86_400_000
      const rows = Array.from({ length: 8 }, (_, day) => {
        const hour = new Date(start - day * 86_400_000 + 9 * 3_600_000).toISOString()
        return { provider: 'made', hour, calls: 30, busy_seconds: day === 3 ? 16_056 : 7200, peak: 6 }
      })
      await database.db.insertInto('line_hours').values(rows).execute()
      const [use] = await readLineUse(database, () => 2, new Date(start + 86_400_000))
      // 4.46 erlangs: ten lines, in every table of the formula.
      expect(use).toMatchObject({ calls: 240, peak: 6, enough: 10 })
      expect(use?.basis).toMatch(/4\.5 lines were busy on average; 240 calls were counted/)
    })

    it('knows the most calls that were up at once, also when one ends as the next begins', () => {
      const calls = [
        { begin: 0, end: 10 },
        { begin: 10, end: 20 },
        { begin: 5, end: 15 },
      ]
      expect(peakOf(calls)).toBe(2)
      expect(peakOf([])).toBe(0)
    })
  })

  describe('the calls that are up', () => {
    it('are shown with how far they have come, and no longer than they are up', async () => {
      const { made, submit, work, database, providers, now, at, context } = await office()
      const { id } = await submit({ to_number: '+15555550007', pages: 3 })
      await work()
      const attemptId = made.handed[0]?.attemptId ?? ''
      const channels = () => readChannels({ database, providers, now })
      expect(await channels()).toEqual([])
      made.line.calls = () => []
      // Begun by another process, so that nobody here knows how far it has come.
      expect(await channels()).toMatchObject([{ job_id: id, number: '********0007', phase: 'unknown', page: null }])
      const seen = (record: CallRecord) => {
        made.line.calls = () => [{ id: attemptId, direction: 'sent', record }]
      }
      seen({})
      expect(await channels()).toMatchObject([{ phase: 'unknown' }])
      seen({ transport: 'audio' })
      expect(await channels()).toMatchObject([{ phase: 'negotiating' }])
      seen({ steps: [{ step: 'dialed', at: at() }] })
      expect(await channels()).toMatchObject([{ phase: 'dialing' }])
      const since = at()
      const steps = [
        { step: 'dialed', at: since },
        { step: 'page', page: 1, at: since },
      ] as const
      const record = { steps: [...steps], speeds: [{ bps: 9600, after_page: 0 }] }
      made.line.calls = () => [
        { id: attemptId, direction: 'sent', record },
        { id: 'call-1', direction: 'received', from: '+15557770001', to: '+1', record: { steps: [steps[0]] } },
      ]
      expect(await channels()).toEqual([
        {
          backend: 'made',
          direction: 'sent',
          job_id: id,
          number: '********0007',
          phase: 'page',
          page: 2,
          pages: 3,
          speed: 9600,
          since,
          phase_since: since,
        },
        expect.objectContaining({ direction: 'received', job_id: null, number: '********0001', phase: 'negotiating' }),
      ])
      await report(context, 'made', { state: 'delivered', attemptId })
      expect((await channels()).map(({ direction }) => direction)).toEqual(['received'])
    })
  })
})
