import type { CallRecord } from '@faxdeck/provider-kit'
import { describe, expect, it } from 'vitest'
import { report } from '../line/report.ts'
import { onEachDatabase } from '../../testing/databases.ts'
import { faxDesk } from '../../testing/fax-desk.ts'
import { makeLine } from '../../testing/made-line.ts'
import { createCalls } from './feature.ts'
import { memoryMs } from './number-memory.ts'

const steps = [{ step: 'answered', at: '2026-11-23T09:00:00.000Z' }] as const
const slow: CallRecord = {
  transport: 'audio',
  ecm: true,
  speeds: [
    { bps: 14_400, after_page: 0 },
    { bps: 9600, after_page: 1 },
  ],
  steps: [...steps],
}
const works = { transport: 'audio', speed: 9600 }
const brokeOff = {
  state: 'failed',
  kind: 'line_error',
  sentence: 'The call was cut off before the first page.',
} as const

onEachDatabase((open) => {
  async function office() {
    const made = makeLine()
    made.line.tuning = { speeds: [14_400, 9600, 4800], ecm: true, transports: ['audio', 't38'], hasBuffer: true }
    const desk = await faxDesk(await open(), made)
    const { routes: handlers, expire } = createCalls(desk.context)
    const last = () => made.handed.at(-1)
    const end = (update: object) =>
      report(desk.context, 'made', { state: 'delivered', ...update, attemptId: last()?.attemptId ?? '' })
    /** One more fax to the number; how its call was asked for. */
    const call = async () => {
      const { id } = await desk.submit({ pages: 2 })
      await desk.work()
      return { id, options: last()?.call }
    }
    const retry = async () => {
      desk.pass(3_600_000)
      await desk.work()
      return last()?.call
    }
    const remembered = () => handlers.listCallNumbers()
    return { ...desk, end, call, retry, remembered, expire, handlers, made }
  }

  describe('what worked with a number', () => {
    it('is tried first next time, is shown, and can be forgotten', async () => {
      const { call, end, remembered, handlers } = await office()
      expect((await call()).options).toBeUndefined()
      await end({ call: slow })
      expect((await call()).options).toEqual(works)
      await end({ call: slow })
      const [number] = await remembered()
      expect(number).toMatchObject({ backend: 'made', options: { ...works, ecm: true } })
      expect(number?.number).toMatch(/^\*+\d{4}$/)
      await handlers.forgetCallNumber({ params: { id: '0'.repeat(32) }, caller: { keyId: 'k' } } as never)
      expect(await remembered()).toHaveLength(1)
      await handlers.forgetCallNumber({ params: { id: number?.id }, caller: { keyId: 'k' } } as never)
      expect(await remembered()).toEqual([])
      expect((await call()).options).toBeUndefined()
    })

    it('is forgotten after 30 days, although it was used meanwhile', async () => {
      const { call, end, remembered, pass, expire, context } = await office()
      await call()
      await end({ call: slow })
      pass(memoryMs - 60_000)
      expect((await call()).options).toEqual(works)
      await end({ call: slow })
      pass(120_000)
      expect(await remembered()).toEqual([])
      expect((await call()).options).toBeUndefined()
      await expire()
      expect(await context.database.db.selectFrom('number_memory').selectAll().execute()).toEqual([])
    })

    it('is forgotten when it does not work any more, and the retry changes one thing', async () => {
      const { call, end, retry, remembered, jobOf } = await office()
      await call()
      await end({ call: slow })
      const { id } = await call()
      await end({ ...brokeOff, call: { transport: 'audio', steps: [...steps] } })
      expect(await retry()).toEqual({ ...works, speed: 4800 })
      expect(await remembered()).toEqual([])
      const fast: CallRecord = { transport: 'audio', ecm: true, speeds: [{ bps: 4800 }], steps: [...steps] }
      await end({ call: fast })
      expect(await remembered()).toMatchObject([{ options: { speed: 4800 } }])
      expect(await jobOf(id)).toMatchObject({ phase: 'delivered', attempt_count: 2 })
    })

    it('is a jitter buffer too, where the call needed one', async () => {
      const { call, end, retry, remembered } = await office()
      await call()
      await end({ ...brokeOff, call: { transport: 'audio', jitter_ms: 15, steps: [...steps] } })
      expect(await retry()).toEqual({ buffered: true })
      await end({ call: slow })
      expect(await remembered()).toMatchObject([{ options: { ...works, buffered: true } }])
      expect((await call()).options).toEqual({ ...works, buffered: true })
    })

    it('asks for no other way than the settings allow', async () => {
      const { call, end, made } = await office()
      made.line.tuning = { speeds: [14_400, 9600, 4800], ecm: true, transports: ['t38'], hasBuffer: true }
      await call()
      await end({ call: { ...slow, transport: 't38' } })
      // T.38 that is asked for may fall back to audio, which this line must not.
      expect((await call()).options).toEqual({ speed: 9600 })
    })

    it('is nothing where no engine reported anything of the call', async () => {
      const { call, end, remembered } = await office()
      await call()
      await end({})
      expect(await remembered()).toEqual([])
    })
  })

  describe('retries that change something', () => {
    it('are as many as they would be, and come when they would come', async () => {
      const { call, end, retry, jobOf, made } = await office()
      const plain = await office()
      delete plain.made.line.tuning
      const [{ id }, { id: other }] = [await call(), await plain.call()]
      for (let time = 0; time < 6; time += 1) {
        const reported = { ...brokeOff, call: { transport: 'audio', steps: [...steps] } }
        await end(reported)
        await plain.end(reported)
        const [job, twin] = [await jobOf(id), await plain.jobOf(other)]
        expect([job.phase, job.next_try_at, job.attempt_count]).toEqual([
          twin.phase,
          twin.next_try_at,
          twin.attempt_count,
        ])
        await retry()
        await plain.retry()
      }
      expect(made.handed.length).toBe(plain.made.handed.length)
      expect(made.handed.slice(1).every((fax) => fax.call !== undefined)).toBe(true)
      expect(plain.made.handed.some((fax) => fax.call !== undefined)).toBe(false)
    })
  })
})
