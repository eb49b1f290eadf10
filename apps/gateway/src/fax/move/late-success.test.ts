import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Database } from '../../base/db/database.ts'
import { LeaseLost } from '../../base/queue/queue.ts'
import { onSqliteFirst } from '../../testing/databases.ts'
import { deskStart, faxDesk } from '../../testing/fax-desk.ts'
import { makeLine, type MadeLine, providerIdOf } from '../../testing/made-line.ts'
import { advance } from './advance.ts'
import type { Move } from './move.ts'
import { readJob } from '../read/read-job.ts'
import { report } from '../line/report.ts'
import { resolveFax } from './resolve.ts'

const anna = { callerKeyId: 'anna', idempotencyKey: undefined }

const minutes = 60_000
const lookAgain = new Date(deskStart + 5000)
const success = (attemptId: string): Move => ({ to: 'delivered', attemptId, pagesConfirmed: 1 })
const busy = (attemptId: string): Move => ({ to: 'failed', attemptId, kind: 'busy', sentence: 'Busy.' })

/** A fax whose first attempt was taken and then reported busy. */
async function busyFax(database: Database, made: MadeLine = makeLine()) {
  const desk = await faxDesk(database, made)
  const { id } = await desk.submit()
  const first = async () => {
    await desk.work()
    const [attempt] = await attempts()
    await report(desk.context, 'made', {
      attemptId: attempt?.id ?? '',
      state: 'failed',
      kind: 'busy',
      sentence: 'Busy.',
    })
    return attempt?.id ?? ''
  }
  const attempts = () =>
    database.db.selectFrom('fax_attempts').selectAll().where('job_id', '=', id).orderBy('number').execute()
  const reportEnd = (attemptId: string, state: 'delivered' | 'failed') =>
    report(desk.context, 'made', {
      attemptId,
      state,
      ...(state === 'delivered' ? { pagesConfirmed: 1 } : { kind: 'busy' as const, sentence: 'Busy.' }),
    })
  return { ...desk, made, id, first: await first(), attempts, reportEnd, job: () => readJob(desk.context, id) }
}

const events = (job: { timeline: readonly { event: string }[] }) => job.timeline.map(({ event }) => event)

onSqliteFirst((open, another) => {
  describe('a delivery that is reported after a failure', () => {
    it('ends the waiting retry: nothing more is sent', async () => {
      const { made, id, first, reportEnd, job, pass, work, context } = await busyFax(await open())
      expect(await job()).toMatchObject({ status: 'in_progress', next_try_at: expect.any(String) })
      await reportEnd(first, 'delivered')
      expect(await job()).toMatchObject({
        status: 'SUCCESS',
        needs_attention: false,
        error: null,
        next_try_at: null,
        pages_confirmed: 1,
        provider_sid: providerIdOf(first),
        attempts: [{ number: 1, kind: null, pages_confirmed: 1 }],
      })
      const { timeline } = await job()
      expect(timeline.at(-1)).toMatchObject({
        event: 'delivered',
        sentence: 'Attempt 1 was delivered after all, 1 page confirmed. No more attempts will be made.',
      })
      pass(60 * minutes)
      expect(await work()).toBe(false)
      expect(made.handed.map(({ jobId }) => jobId)).toEqual([id])
      expect(await context.queue.depth()).toMatchObject({ waiting: 0, under_way: 0 })
    })

    it('turns a fax that had failed for good into a delivered one, also on the dashboard', async () => {
      const database = await open()
      const { first, context, id, job, reportEnd } = await busyFax(database)
      await advance(context, id, { to: 'failed', kind: 'rejected', sentence: 'No more attempts.' })
      expect(await job()).toMatchObject({ status: 'FAILED' })
      await reportEnd(first, 'delivered')
      expect(await job()).toMatchObject({ status: 'SUCCESS', error: null, error_kind: null })
      expect((await job()).timeline.at(-1)?.sentence).toContain('The fax had been recorded as failed.')
      const hours = await database.db.selectFrom('activity_hours').select(['delivered', 'failed']).execute()
      expect(hours).toEqual([{ delivered: 1, failed: 0 }])
    })

    it.each(['failed', 'send_again'] as const)('counts also after a person decided "%s"', async (outcome) => {
      const made = makeLine({ find: false })
      const desk = await faxDesk(await open(), made)
      const { id } = await desk.submit()
      await desk.work()
      const attemptId = made.handed[0]?.attemptId ?? ''
      await advance(desk.context, id, { to: 'uncertain', attemptId, sentence: 'Not known.', lookAgain })
      await resolveFax(desk.context, id, { outcome }, anna)
      await report(desk.context, 'made', { attemptId, state: 'delivered', pagesConfirmed: 1 })
      expect(await readJob(desk.context, id)).toMatchObject({ status: 'SUCCESS', error: null })
      desk.pass(60 * minutes)
      expect(await desk.work()).toBe(false)
      expect(made.handed).toHaveLength(1)
    })

    it('is not undone by the failure that comes once more', async () => {
      const { first, reportEnd, job } = await busyFax(await open())
      await reportEnd(first, 'delivered')
      await reportEnd(first, 'failed')
      await reportEnd(first, 'delivered')
      const now = await job()
      expect(now.status).toBe('SUCCESS')
      expect(events(now).filter((event) => event === 'delivered')).toHaveLength(1)
      expect(now.timeline.at(-1)?.event).toBe('conflict')
    })
  })

  describe('pages that are reported after a failure without any', () => {
    const reportPages = ({ context, first }: Awaited<ReturnType<typeof busyFax>>) =>
      report(context, 'made', {
        attemptId: first,
        state: 'failed',
        kind: 'line_error',
        sentence: 'The line broke.',
        pagesConfirmed: 2,
      })

    it('end the waiting retry: a person decides', async () => {
      const fax = await busyFax(await open())
      await reportPages(fax)
      fax.pass(60 * minutes)
      expect(await fax.work()).toBe(false)
      expect(fax.made.handed).toHaveLength(1)
      expect(await fax.job()).toMatchObject({
        status: 'FAILED',
        error_kind: 'partial',
        needs_attention: true,
        pages_confirmed: 2,
        next_try_at: null,
        attempts: [{ kind: 'partial', pages_confirmed: 2 }],
      })
    })

    it('are noted where the next attempt is with the provider already', async () => {
      const fax = await busyFax(await open())
      fax.pass(5 * minutes)
      await fax.work()
      await reportPages(fax)
      expect(await fax.job()).toMatchObject({ status: 'in_progress', attempts: [{ kind: 'busy' }, { kind: null }] })
      expect((await fax.job()).timeline.at(-1)?.event).toBe('conflict')
    })
  })

  describe('a retry that is already with its provider when the first attempt turns out to be delivered', () => {
    async function retrying(made = makeLine()) {
      const fax = await busyFax(await open(), made)
      fax.pass(5 * minutes)
      await fax.work()
      expect(made.handed).toHaveLength(2)
      return { ...fax, second: made.handed[1]?.attemptId ?? '' }
    }

    it('is canceled there where the provider can', async () => {
      const made = makeLine()
      const asked: string[] = []
      made.line.cancel = async (id) => asked.push(id) > 0
      made.provider.traits.supports_cancel = true
      const { first, second, reportEnd, job, work, context } = await retrying(made)
      await reportEnd(first, 'delivered')
      expect(await job()).toMatchObject({
        status: 'SUCCESS',
        needs_attention: true,
        error:
          'The fax was delivered by attempt 1. Made line already has attempt 2 and may print the fax again. Faxdeck asks Made line to cancel it.',
      })
      await work()
      expect(asked).toEqual([providerIdOf(second)])
      const now = await job()
      expect(now).toMatchObject({ status: 'SUCCESS', needs_attention: false, error: null, pages_confirmed: 1 })
      expect(now.timeline.at(-1)).toMatchObject({
        event: 'called_off',
        sentence: 'Made line canceled attempt 2 before it went out.',
      })
      expect(await context.queue.depth()).toMatchObject({ waiting: 0, under_way: 0 })
    })

    it('is followed where it cannot be canceled, and a second delivery waits for a person', async () => {
      const { first, second, reportEnd, job, work, pass, made, id, context } = await retrying()
      await reportEnd(first, 'delivered')
      expect((await job()).error).toContain('Made line offers no way to cancel it.')
      await work()
      expect(await job()).toMatchObject({ status: 'SUCCESS', needs_attention: true })
      made.statuses.set(providerIdOf(second), { state: 'delivered', pagesConfirmed: 1 })
      pass(10 * minutes)
      await work()
      expect(await job()).toMatchObject({
        status: 'SUCCESS',
        needs_attention: true,
        actions: ['resolve'],
        error: 'The fax was delivered more than once: by attempts 1 and 2.',
      })
      expect(await work()).toBe(false)
      await expect(resolveFax(context, id, { outcome: 'send_again' }, anna)).rejects.toMatchObject({ code: 'conflict' })
      await resolveFax(context, id, { outcome: 'delivered' }, anna)
      expect(await job()).toMatchObject({ status: 'SUCCESS', needs_attention: false, error: null })
    })

    it('needs nobody any more once it has failed', async () => {
      const { first, second, reportEnd, job, context } = await retrying()
      await reportEnd(first, 'delivered')
      await reportEnd(second, 'failed')
      expect(await job()).toMatchObject({ status: 'SUCCESS', needs_attention: false, error: null })
      expect(await context.queue.depth()).toMatchObject({ waiting: 0, under_way: 0 })
    })

    it('and of which nobody knows whether it was taken is looked for, and called off when it was', async () => {
      const made = makeLine()
      made.line.cancel = async () => true
      made.provider.traits.supports_cancel = true
      const { id, first, second, reportEnd, job, work, context } = await retrying(made)
      await advance(context, id, { to: 'uncertain', attemptId: second, sentence: 'Not known.', lookAgain })
      await reportEnd(first, 'delivered')
      await work()
      await work()
      const now = await job()
      expect(now).toMatchObject({ status: 'SUCCESS', needs_attention: false })
      expect(events(now).slice(-3)).toEqual(['delivered', 'accepted', 'called_off'])
    })
  })

  describe('a delivery reported while the retry is being submitted', () => {
    it('before that has begun: the retry is not submitted', async () => {
      const made = makeLine({ requiresPages: true })
      const { id, first, context, pass, claimOne } = await busyFax(await open(), made)
      pass(5 * minutes)
      const claim = await claimOne()
      await advance(context, id, { to: 'preparing' }, claim)
      const outcomes = await Promise.allSettled([
        advance(context, id, success(first)),
        advance(context, id, { to: 'submitting', attemptId: 'late' }, claim),
      ])
      expect(outcomes).toMatchObject([{ value: { verdict: 'applies' } }, { reason: expect.any(LeaseLost) }])
    })

    it('while the provider is being asked: the retry is called off as soon as it was taken', async () => {
      const made = makeLine()
      made.line.cancel = async () => true
      made.provider.traits.supports_cancel = true
      const fax = await busyFax(await open(), made)
      fax.pass(5 * minutes)
      made.answers.push(async () => {
        await fax.reportEnd(fax.first, 'delivered')
        expect((await fax.job()).error).toContain('Attempt 2 may be with Made line and may print the fax again.')
        return undefined
      })
      await fax.work()
      expect(await fax.job()).toMatchObject({ status: 'SUCCESS', needs_attention: true })
      await fax.work()
      expect(await fax.job()).toMatchObject({ status: 'SUCCESS', needs_attention: false })
      expect(events(await fax.job()).slice(-3)).toEqual(['delivered', 'accepted', 'called_off'])
    })

    it('and the gateway dies: whoever takes the work up finds out and calls it off', async () => {
      const { id, first, context, pass, claimOne, reportEnd, job, work, made } = await busyFax(await open())
      pass(5 * minutes)
      await advance(context, id, { to: 'submitting', attemptId: 'dead' }, await claimOne())
      await reportEnd(first, 'delivered')
      pass(1 * minutes)
      await work()
      expect(await job()).toMatchObject({ status: 'SUCCESS', needs_attention: false })
      expect((await job()).timeline.at(-1)?.sentence).toBe('Made line never got attempt 2.')
      expect(made.handed).toHaveLength(1)
    })
  })

  it('two gateways, one reporting a delivery while the other begins the retry, never begin one after it', async () => {
    const database = await open()
    const made = makeLine()
    const there = await faxDesk(await another(database), made)
    for (let n = 0; n < 10; n++) {
      const { id, first, context, pass, claimOne, job } = await busyFax(database, made)
      pass(5 * minutes)
      const claim = await claimOne()
      const submitting: Move = { to: 'submitting', attemptId: `${id}-2` }
      await Promise.allSettled([advance(there.context, id, success(first)), advance(context, id, submitting, claim)])
      const { timeline, status, needs_attention } = await job()
      const [arrived, begun] = [
        events({ timeline }).indexOf('delivered'),
        events({ timeline }).lastIndexOf('submitting'),
      ]
      expect(status).toBe('SUCCESS')
      expect(begun < arrived).toBe(true)
      expect(needs_attention).toBe(timeline.filter(({ event }) => event === 'submitting').length === 2)
      await advance(context, id, { to: 'not_taken', attemptId: `${id}-2` })
    }
  })

  it('once a success was reported for any attempt, no further attempt begins, whatever else is reported', async () => {
    const database = await open()
    const { context, submit } = await faxDesk(database, makeLine())
    const attempt = fc.constantFrom('a', 'b', 'c')
    const word: fc.Arbitrary<Move> = fc.oneof(
      attempt.map((attemptId): Move => ({ to: 'submitting', attemptId })),
      attempt.map((attemptId): Move => ({ to: 'accepted', attemptId, providerId: `p-${attemptId}` })),
      attempt.map(success),
      attempt.map(busy),
      attempt.map((attemptId): Move => ({ to: 'uncertain', attemptId, sentence: 'Not known.', lookAgain })),
      attempt.map((attemptId): Move => ({ to: 'not_taken', attemptId })),
      fc
        .tuple(attempt, fc.constantFrom('failed', 'send_again', 'delivered'))
        .map(([attemptId, outcome]): Move => ({ to: 'resolved', attemptId, outcome, by: 'k' })),
      fc.constant<Move>({ to: 'preparing' }),
      fc.constant<Move>({ to: 'rerouted', backend: 'other' }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(word, { minLength: 4, maxLength: 20 }), async (words) => {
        const { id } = await submit()
        const begun = new Set<string>()
        let arrived = false
        for (const each of words) {
          const move = 'attemptId' in each ? { ...each, attemptId: `${id}-${each.attemptId ?? ''}` } : each
          if (move.to === 'submitting' && begun.has(move.attemptId)) continue
          const moved = await advance(context, id, move)
          const applied = moved?.verdict === 'applies'
          if (move.to === 'submitting' && applied) {
            expect(arrived).toBe(false)
            begun.add(move.attemptId)
          }
          arrived ||= move.to === 'delivered' && begun.has(move.attemptId)
          if (arrived) expect(moved?.job.status).toBe('SUCCESS')
        }
        const states = await database.db.selectFrom('fax_attempts').select('state').where('job_id', '=', id).execute()
        expect(states.filter(({ state }) => state !== 'ended').length).toBeLessThan(2)
      }),
      { numRuns: database.engine === 'sqlite' ? 150 : 30 },
    )
  })
})
