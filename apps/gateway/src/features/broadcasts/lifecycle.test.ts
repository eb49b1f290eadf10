import { describe, expect, it } from 'vitest'
import { noGroup } from '../../access/groups/group-of.ts'
import type { Database } from '../../base/db/database.ts'
import { resendFax } from '../../fax/accept/resend.ts'
import { expireFaxes } from '../../fax/expire.ts'
import { faxHandler } from '../../fax/line/work.ts'
import { advance } from '../../fax/move/advance.ts'
import { listVisible } from '../../fax/read/list.ts'
import type { Caller } from '../../base/http/handler.ts'
import { holderOf } from '../../base/http/callers/keys.ts'
import { LeaseLost } from '../../base/queue/queue.ts'
import { keysIn } from '../../base/storage/testing/keys-in.ts'
import { onSqliteFirst } from '../../testing/databases.ts'
import { faxDesk } from '../../testing/fax-desk.ts'
import { makeLine } from '../../testing/made-line.ts'
import { createBroadcast } from './create.ts'
import { readBroadcast, requireBroadcast } from './read.ts'
import { resendBroadcast } from './resend.ts'
import { cancelBroadcast, cancelHandler, pauseBroadcast, resumeBroadcast } from './steer.ts'

const day = 24 * 3_600_000
const number = (n: number) => `+1555555${String(2000 + n)}`
const admin: Caller = { ...holderOf('test', new Set(['keys:manage'])), address: '127.0.0.1' }
const signal = new AbortController().signal

/** A desk with a broadcast to so many numbers. */
async function broadcasting(database: Database, count: number) {
  const desk = await faxDesk(database, makeLine())
  const { context } = desk
  const create = (idempotencyKey?: string) =>
    createBroadcast(context, {
      ...{
        recipients: Array.from({ length: count }, (_, n) => number(n)).join('\n'),
        skipInvalid: false,
        allowsUnlikely: false,
      },
      ...{ tones: 'auto', unreadable: 'send', cover: {}, group: noGroup, callerKeyId: 'test', idempotencyKey },
      file: { fileName: 'news.txt', bytes: Buffer.from('The clinic moves on Monday.') },
    })
  const { id } = await create()
  const jobs = async (of = id) =>
    database.db.selectFrom('fax_jobs').selectAll().where('broadcast_id', '=', of).orderBy('to_number').execute()
  return {
    ...desk,
    create,
    id,
    jobs,
    row: () => requireBroadcast(context, id, admin),
    counts: async () => (await readBroadcast(context, id, admin)).counts,
    fail: (job: string, kind: 'rejected' | 'bad_number' = 'rejected') =>
      advance(context, job, { to: 'failed', kind, sentence: 'It failed.' }),
    begin: (job: string) => advance(context, job, { to: 'submitting', attemptId: `a-${job}` }),
  }
}

onSqliteFirst((open) => {
  describe('a broadcast', () => {
    it('is accepted once under its key, also twice at once, with one document for all', async () => {
      const { create, context } = await broadcasting(await open(), 3)
      const made = await Promise.all([create('one'), create('one'), create('one')])
      expect(new Set(made.map(({ id }) => id)).size).toBe(1)
      expect(made.filter(({ replayed }) => !replayed)).toHaveLength(1)
      expect(await keysIn(context.storage, 'faxes')).toHaveLength(2)
      expect(await context.events.list({ event: 'broadcast_created', limit: 9 })).toHaveLength(2)
      expect(await context.events.list({ event: 'job_created', limit: 9 })).toHaveLength(6)
    })

    it('begins no fax once it is paused, also none that was taken up before, and goes on when it is resumed', async () => {
      const { context, row, claimOne, work, counts, submit } = await broadcasting(await open(), 5)
      const claim = await claimOne()
      await pauseBroadcast(context, await row(), 'test')
      expect(claim).toBeDefined()
      if (claim)
        await faxHandler(context)(claim, signal).catch((error: unknown) => expect(error).toBeInstanceOf(LeaseLost))
      expect(await work()).toBe(false)
      const single = await submit()
      expect(await work()).toBe(true)
      expect(await counts()).toMatchObject({ delivered: 0, queued: 5 })
      expect(
        (await context.database.db.selectFrom('fax_attempts').select('job_id').execute()).map(({ job_id: id }) => id),
      ).toEqual([single.id])
      await resumeBroadcast(context, await row(), 'test')
      for (let n = 0; n < 5; n++) expect(await work()).toBe(true)
      expect((await counts()).queued).toBe(0)
    })

    it('is no place for a fax of it that is sent again by itself', async () => {
      const { context, id, jobs, fail, jobOf, counts } = await broadcasting(await open(), 2)
      const [one = ''] = (await jobs()).map((job) => job.id)
      await fail(one)
      const { job } = await resendFax(context, one, { callerKeyId: 'test', idempotencyKey: undefined }, { force: true })
      expect(await jobOf(job.id)).toMatchObject({ broadcast_id: null, parent_id: one })
      expect(await counts()).toMatchObject({ queued: 1, failed: 1 })
      expect(await jobs(id)).toHaveLength(2)
    })

    it('sends what failed again, once, and nothing that arrived, may have arrived or was canceled', async () => {
      const { context, row, jobs, fail, begin } = await broadcasting(await open(), 6)
      const [one, two, delivered, uncertain, cancelled] = (await jobs()).map(({ id }) => id)
      if (!one || !two || !delivered || !uncertain || !cancelled) throw new Error('unreachable')
      await fail(one)
      await fail(two)
      await begin(delivered)
      await advance(context, delivered, { to: 'delivered', attemptId: `a-${delivered}`, pagesConfirmed: 1 })
      await begin(uncertain)
      const lookAgain = context.now()
      await advance(context, uncertain, { to: 'uncertain', attemptId: `a-${uncertain}`, sentence: 'Lost.', lookAgain })
      await advance(context, cancelled, { to: 'failed', kind: 'cancelled', sentence: 'Canceled.' })
      expect(await readBroadcast(context, (await row()).id, admin)).toMatchObject({
        state: 'sending',
        resendable: 2,
        counts: { failed: 2, delivered: 1, unconfirmed: 1, cancelled: 1, queued: 1, in_progress: 0 },
      })
      const listed = async (outcome: 'failed' | 'cancelled' | 'unconfirmed' | 'queued') => {
        const page = { broadcast: (await row()).id, outcome, limit: 9 }
        return (await listVisible(context.database, { ...page, visible: 'all' }, page)).jobs.map(({ id }) => id)
      }
      expect((await listed('failed')).toSorted()).toEqual([one, two].toSorted())
      expect(await listed('cancelled')).toEqual([cancelled])
      expect(await listed('unconfirmed')).toEqual([uncertain])
      expect(await listed('queued')).toHaveLength(1)
      const call = { callerKeyId: 'test', idempotencyKey: undefined }
      const twice = [resendBroadcast(context, await row(), call), resendBroadcast(context, await row(), call)]
      const outcomes = await Promise.allSettled(twice)
      expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
      const made = outcomes.find((outcome) => outcome.status === 'fulfilled')?.value.id
      expect((await jobs(made)).map(({ to_number, parent_id }) => [to_number, parent_id])).toEqual([
        [number(0), one],
        [number(1), two],
      ])
      await expect(resendBroadcast(context, await row(), call)).rejects.toMatchObject({ code: 'conflict' })
    })

    it('calls a number that is not in service again only when that is meant', async () => {
      const { context, id, row, jobs, fail } = await broadcasting(await open(), 3)
      const [refused = '', wrong = ''] = (await jobs()).map((job) => job.id)
      await fail(refused)
      await fail(wrong, 'bad_number')
      const failed = async () => readBroadcast(context, id, admin)
      expect(await failed()).toMatchObject({ resendable: 1, number_failed: 1 })
      const call = { callerKeyId: 'test', idempotencyKey: undefined }
      const unasked = await resendBroadcast(context, await row(), call)
      expect((await jobs(unasked.id)).map(({ parent_id: parent }) => parent)).toEqual([refused])
      expect(await failed()).toMatchObject({ resendable: 0, number_failed: 1 })
      await expect(resendBroadcast(context, await row(), call)).rejects.toMatchObject({ code: 'number_failed' })
      const meant = await resendBroadcast(context, await row(), call, { force: true })
      expect((await jobs(meant.id)).map(({ parent_id: parent }) => parent)).toEqual([wrong])
    })

    it('is canceled by work that a crash does not end, and waits for the attempts under way', async () => {
      const { context, row, jobs, begin, counts } = await broadcasting(await open(), 4)
      const [first] = await jobs()
      await begin(first?.id ?? '')
      await cancelBroadcast(context, await row(), 'test')
      const claim = (await context.queue.claim('broadcasts', 4, 1)).claims[0]
      if (!claim) throw new Error('There is no work that cancels.')
      expect(await cancelHandler(context)(claim, signal)).toBeInstanceOf(Date)
      expect(await counts()).toMatchObject({ cancelled: 3, in_progress: 1 })
      const attemptId = `a-${first?.id}`
      await advance(context, first?.id ?? '', { to: 'failed', attemptId, kind: 'busy', sentence: 'Busy.' })
      expect(await cancelHandler(context)(claim, signal)).toBeUndefined()
      expect(await counts()).toMatchObject({ cancelled: 4, in_progress: 0 })
      expect((await context.queue.due()).lanes).toEqual([])
    })

    it('keeps its document until the last of its faxes needs it no longer', async () => {
      const { context, jobs, fail, pass } = await broadcasting(await open(), 3)
      const [one, two, three] = (await jobs()).map(({ id }) => id)
      await fail(one ?? '')
      await fail(two ?? '')
      pass(2 * day)
      await expireFaxes(context)
      expect(await keysIn(context.storage, 'faxes')).toHaveLength(1)
      await fail(three ?? '')
      pass(2 * day)
      await expireFaxes(context)
      expect(await keysIn(context.storage, 'faxes')).toHaveLength(0)
    })
  })
})
