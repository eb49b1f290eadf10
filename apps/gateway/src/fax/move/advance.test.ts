import fc from 'fast-check'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { Database } from '../../base/db/database.ts'
import { LeaseLost } from '../../base/queue/queue.ts'
import { onEachDatabase } from '../../testing/databases.ts'
import { faxDesk } from '../../testing/fax-desk.ts'
import { makeLine } from '../../testing/made-line.ts'
import { advance } from './advance.ts'
import type { Move } from './move.ts'
import { readJob } from '../read/read-job.ts'

const lookAgain = new Date('2026-03-02T12:00:00Z')
const delivered = (attemptId: string): Move => ({ to: 'delivered', attemptId, pagesConfirmed: 1 })
const busy = (attemptId: string): Move => ({ to: 'failed', attemptId, kind: 'busy', sentence: 'Busy.' })

/** A fax that its provider has taken in attempt `a1`. */
async function acceptedFax(database: Database) {
  const desk = await faxDesk(database, makeLine())
  const { id } = await desk.submit()
  const move = (to: Move) => advance(desk.context, id, to)
  await move({ to: 'submitting', attemptId: 'a1' })
  await move({ to: 'accepted', attemptId: 'a1', providerId: 'p1' })
  return { ...desk, id, move, job: () => readJob(desk.context, id) }
}

/** Counted anew, in the shape of the kept counts. */
async function realCounts({ db }: Database) {
  const counts = await sql<{ backend: string; status: string; jobs: number }>`
    select backend, status, count(*) as jobs from fax_jobs group by backend, status
    union all
    select backend, 'attention', count(*) from fax_jobs where phase in ('uncertain', 'duplicate', 'partial') group by backend
    union all
    select backend, 'waiting', count(*) from fax_jobs where phase = 'waiting_retry' and hold is null group by backend`.execute(
    db,
  )
  return counts.rows.map((row) => `${row.backend} ${row.status} ${row.jobs}`).sort()
}
async function storedCounts({ db }: Database) {
  const rows = await db.selectFrom('job_counts').selectAll().where('jobs', '<>', 0).execute()
  return rows.map((row) => `${row.backend} ${row.status} ${row.jobs}`).sort()
}

onEachDatabase((open, another) => {
  describe('a finished fax', () => {
    it('does not move any more', async () => {
      const { move, job } = await acceptedFax(await open())
      await move(delivered('a1'))
      const before = await job()
      expect((await move({ to: 'submitting', attemptId: 'a2' }))?.verdict).toBe('refused')
      expect((await move({ to: 'preparing' }))?.verdict).toBe('refused')
      const cancelled: Move = { to: 'failed', kind: 'cancelled', sentence: 'Canceled.' }
      expect((await move(cancelled))?.verdict).toBe('refused')
      expect(await job()).toEqual(before)
    })

    it('does not change when its provider tells again', async () => {
      const { move, job } = await acceptedFax(await open())
      await move(delivered('a1'))
      const before = await job()
      expect((await move(delivered('a1')))?.verdict).toBe('repeat')
      expect((await move({ to: 'accepted', attemptId: 'a1', providerId: 'p1' }))?.verdict).toBe('repeat')
      expect(await job()).toEqual(before)
    })

    it('writes down once what contradicts it, and stays as it is', async () => {
      const { move, job, context, id } = await acceptedFax(await open())
      await move(delivered('a1'))
      await move(busy('a1'))
      await move(busy('a1'))
      const { status, timeline } = await job()
      expect(status).toBe('SUCCESS')
      expect(timeline.filter(({ event }) => event === 'conflict')).toHaveLength(1)
      expect(await context.events.list({ event: 'job_conflict', limit: 10 })).toMatchObject([{ job_id: id }])
    })
  })

  describe('a fax between two attempts', () => {
    it('does not listen to the attempt that has ended, unless that was delivered', async () => {
      const { move, job } = await acceptedFax(await open())
      await move(busy('a1'))
      const unreachable: Move = { to: 'failed', attemptId: 'a1', kind: 'unreachable', sentence: 'Nothing listens.' }
      expect((await move(unreachable))?.verdict).toBe('refused')
      expect((await move({ to: 'accepted', attemptId: 'a1', providerId: 'p1' }))?.verdict).toBe('repeat')
      expect(await job()).toMatchObject({ status: 'in_progress', error_kind: 'busy', next_try_at: expect.any(String) })
      expect((await move(delivered('a1')))?.verdict).toBe('applies')
      expect((await move({ to: 'submitting', attemptId: 'a2' }))?.verdict).toBe('refused')
    })
  })

  it("a repeat brings the provider's id when it is not known yet, and never another one", async () => {
    const desk = await faxDesk(await open(), makeLine())
    const { id } = await desk.submit()
    const move = (to: Move) => advance(desk.context, id, to)
    await move({ to: 'submitting', attemptId: 'a1' })
    await move({ to: 'accepted', attemptId: 'a1', providerId: 'p1' })
    expect((await move({ to: 'accepted', attemptId: 'a1', providerId: 'p2' }))?.verdict).toBe('repeat')
    expect(await readJob(desk.context, id)).toMatchObject({ provider_sid: 'p1', attempts: [{ provider_id: 'p1' }] })
    const early = await desk.submit({ to_number: '+15555550124' })
    await advance(desk.context, early.id, { to: 'submitting', attemptId: 'b1' })
    await advance(desk.context, early.id, delivered('b1'))
    await advance(desk.context, early.id, { to: 'accepted', attemptId: 'b1', providerId: 'p3' })
    expect(await readJob(desk.context, early.id)).toMatchObject({ attempts: [{ provider_id: 'p3' }] })
  })

  it('what was uncertain and is found with its provider shows no trouble any more', async () => {
    const { move, job } = await acceptedFax(await open())
    await move({ to: 'uncertain', attemptId: 'a1', sentence: 'Not known.', lookAgain })
    await move({ to: 'accepted', attemptId: 'a1', providerId: 'p1' })
    expect(await job()).toMatchObject({ needs_attention: false, error: null, error_kind: null })
    expect((await job()).attempts).toMatchObject([{ kind: null, sentence: null }])
  })

  describe('an uncertain fax', () => {
    it('waits in the lists for attention until somebody knows better', async () => {
      const database = await open()
      const { move, job } = await acceptedFax(database)
      await move({ to: 'uncertain', attemptId: 'a1', sentence: 'Not known.', lookAgain })
      expect(await storedCounts(database)).toEqual(['made attention 1', 'made in_progress 1'])
      expect(await job()).toMatchObject({ needs_attention: true, error_kind: 'uncertain' })
      await move(delivered('a1'))
      expect(await storedCounts(database)).toEqual(['made SUCCESS 1'])
    })
  })

  it('reports at once from many sides move a fax once', async () => {
    const database = await open()
    const { move, job } = await acceptedFax(database)
    const moved = await Promise.all(Array.from({ length: 10 }, (_, n) => move(n % 2 ? busy('a1') : delivered('a1'))))
    expect(moved.filter((each) => each?.verdict === 'applies')).toHaveLength(1)
    const { attempts } = await job()
    expect(attempts).toHaveLength(1)
    expect(await storedCounts(database)).toEqual(await realCounts(database))
  })

  it('moves that share a transaction see each other, and one whose lease is lost takes nobody with it', async () => {
    const database = await open()
    const { context, submit, claimOne } = await faxDesk(database, makeLine())
    const [one, other] = [await submit(), await submit({ to_number: '+15555550124' })]
    const claims = [await claimOne(), await claimOne()]
    const claimOf = (id: string) => claims.find((claim) => claim?.subjectId === id)
    const outcomes = await Promise.allSettled([
      advance(context, one.id, { to: 'failed', kind: 'cancelled', sentence: 'Canceled.' }, claimOf(one.id)),
      advance(context, one.id, { to: 'submitting', attemptId: 'too-late' }, claimOf(one.id)),
      advance(context, other.id, { to: 'submitting', attemptId: 'a' }, claimOf(other.id)),
      advance(context, other.id, { to: 'accepted', attemptId: 'a', providerId: 'p', word: 'queued' }),
      advance(context, other.id, delivered('a')),
      advance(context, 'unknown', delivered('a')),
    ])
    expect(outcomes).toMatchObject([
      { value: { verdict: 'applies', job: { phase: 'failed' } } },
      { status: 'rejected', reason: expect.any(LeaseLost) },
      { value: { verdict: 'applies', job: { phase: 'submitting' } } },
      { value: { verdict: 'applies', job: { phase: 'accepted' } } },
      { value: { verdict: 'applies', job: { phase: 'delivered' } } },
      { status: 'fulfilled', value: undefined },
    ])
    const { attempts, timeline } = await readJob(context, other.id)
    expect(attempts).toMatchObject([{ number: 1, ended_at: expect.any(String), provider_id: 'p', pages_confirmed: 1 }])
    expect(timeline.map(({ event }) => event)).toEqual(['queued', 'submitting', 'accepted', 'delivered'])
    expect(await storedCounts(database)).toEqual(await realCounts(database))
    expect(await context.queue.depth()).toMatchObject({ waiting: 0, under_way: 0 })
  })

  it('two processes that accept and move faxes at once keep counts and chain', async () => {
    const database = await open()
    const here = await faxDesk(database, makeLine())
    const there = await faxDesk(await another(database), makeLine())
    const deliverOne = async ({ context, submit }: typeof here) => {
      const { id } = await submit()
      const attemptId = `a-${id}`
      await advance(context, id, { to: 'submitting', attemptId })
      await advance(context, id, { to: 'accepted', attemptId, providerId: id })
      await advance(context, id, delivered(attemptId))
    }
    await Promise.all(Array.from({ length: 40 }, (_, n) => deliverOne(n % 2 ? here : there)))
    expect(await storedCounts(database)).toEqual(['made SUCCESS 40'])
    expect(await here.context.events.verify()).toMatchObject({ intact: true, checked: 160 })
    const hours = await database.db.selectFrom('activity_hours').select('delivered').execute()
    expect(hours).toEqual([{ delivered: 40 }])
  })

  it('keeps counts, chain and states true through any history', async () => {
    const database = await open()
    const { context, submit } = await faxDesk(database, makeLine())
    const attempts = ['a', 'b', 'c']
    const kinds = ['busy', 'unreachable', 'rejected', 'partial', 'cancelled'] as const
    const attempt = fc.constantFrom(...attempts)
    const steps: fc.Arbitrary<Move> = fc.oneof(
      fc.constant<Move>({ to: 'preparing' }),
      attempt.map((attemptId): Move => ({ to: 'submitting', attemptId })),
      attempt.map((attemptId): Move => ({ to: 'accepted', attemptId, providerId: `p-${attemptId}` })),
      attempt.map(delivered),
      fc
        .tuple(attempt, fc.constantFrom(...kinds))
        .map(([attemptId, kind]): Move => ({ to: 'failed', attemptId, kind, sentence: `${kind}.` })),
      attempt.map((attemptId): Move => ({ to: 'uncertain', attemptId, sentence: 'Not known.', lookAgain })),
      attempt.map((attemptId): Move => ({ to: 'not_taken', attemptId })),
      fc
        .tuple(attempt, fc.constantFrom('delivered', 'failed', 'send_again'))
        .map(([attemptId, outcome]): Move => ({ to: 'resolved', attemptId, outcome, by: 'k' })),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(steps, { maxLength: 12 }), async (moves) => {
        const { id } = await submit()
        const used = new Set<string>()
        let ended: string | undefined
        for (const step of moves) {
          const move = 'attemptId' in step ? { ...step, attemptId: `${id}-${step.attemptId ?? ''}` } : step
          if (move.to === 'submitting' && used.has(move.attemptId)) continue
          if (move.to === 'submitting') used.add(move.attemptId)
          const moved = await advance(context, id, move)
          const { status } = moved?.job ?? {}
          if (ended && !(ended === 'FAILED' && move.to === 'delivered')) expect(status).toBe(ended)
          if (status === 'SUCCESS' || status === 'FAILED') ended = status
        }
        const open = database.db.selectFrom('queue').selectAll().where('subject_id', '=', id)
        const attempts = database.db.selectFrom('fax_attempts').select('state').where('job_id', '=', id)
        const isOpen = (await attempts.execute()).some(({ state }) => state !== 'ended')
        expect(await open.execute()).toHaveLength(!ended || isOpen ? 1 : 0)
      }),
      { numRuns: database.engine === 'sqlite' ? 60 : 20 },
    )
    expect(await storedCounts(database)).toEqual(await realCounts(database))
    expect(await context.events.verify()).toMatchObject({ intact: true })
  })
})
