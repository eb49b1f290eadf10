import { describe, expect, it } from 'vitest'
import type { Database } from '../../base/db/database.ts'
import type { FaxJobRow } from '../../base/db/tables/tables.ts'
import { onSqliteFirst } from '../../testing/databases.ts'
import { deskStart, faxDesk } from '../../testing/fax-desk.ts'
import { makeLine, providerIdOf, refusing } from '../../testing/made-line.ts'
import { advance } from './advance.ts'
import { cancelFax } from '../line/cancel.ts'
import { holdUnfinished } from './hold-unfinished.ts'
import { holdOf } from './hold.ts'
import { listJobs } from '../read/list.ts'
import { lookUpHeld } from '../line/look-up-held.ts'
import type { Move } from './move.ts'
import { presentSummary } from '../read/present.ts'
import { readJob } from '../read/read-job.ts'
import { releaseFax } from './release.ts'
import { resolveFax } from './resolve.ts'

const anna = { callerKeyId: 'anna', idempotencyKey: undefined }

const never = new AbortController().signal
const able = { isTest: false, supportsCancel: false, supportsStatus: true }
const present = (jobs: readonly FaxJobRow[]) => jobs.map((job) => presentSummary(job, able))
const heldOf = async (database: Database) =>
  (await listJobs(database, { status: 'held', limit: 50 }, present)).jobs.map(({ id }) => id)

onSqliteFirst((open) => {
  async function desk(options = {}) {
    const made = makeLine(options)
    const database = await open()
    const own = await faxDesk(database, made)
    const hold = (asOf = new Date(deskStart)) => holdUnfinished(own.context, asOf)
    const workAll = async () => {
      while (await own.work()) continue
    }
    return { ...own, database, made, hold, workAll }
  }

  it('a fax that a person releases while its provider is asked stays released', async () => {
    const { submit, hold, made, context, database } = await desk()
    const { id } = await submit()
    await hold()
    made.line.listSent = async () => {
      await releaseFax(context, id, 'anna')
      return []
    }
    await lookUpHeld(context, never)
    expect(await heldOf(database)).toEqual([])
  })

  it('a held fax of which only one of two providers could be asked is not called looked up', async () => {
    const [made, other] = [makeLine(), makeLine({ id: 'other' })]
    const { submit, context } = await faxDesk(await open(), made, other)
    const { id } = await submit()
    await holdUnfinished(context, new Date(deskStart))
    made.line.listSent = async () => []
    await lookUpHeld(context, never)
    expect((await readJob(context, id)).held).toMatchObject({ asked_at: null, found: [] })
    other.line.listSent = async () => [
      { providerId: 'a', to: '+15555550123', at: new Date(deskStart - 5 * 3_600_000), state: 'failed' },
    ]
    await lookUpHeld(context, never)
    const { held } = await readJob(context, id)
    expect([held?.asked_at, held?.found.length]).toEqual([new Date(deskStart).toISOString(), 1])
  })

  describe('a held fax', () => {
    it('is not sent however long it waits, is counted, and goes out once it is released', async () => {
      const { submit, hold, workAll, pass, made, context, database } = await desk()
      const { id } = await submit()
      const other = await submit({ to_number: '+15555550199' })
      expect(await hold()).toBe(2)
      pass(400 * 24 * 3_600_000)
      await workAll()
      expect(made.handed).toEqual([])
      expect((await heldOf(database)).toSorted()).toEqual([id, other.id].toSorted())
      expect((await listJobs(database, { limit: 50 }, present)).total).toBe(2)
      await releaseFax(context, id, 'anna')
      const again = releaseFax(context, id, 'ben')
      await expect(again).rejects.toMatchObject({ code: 'conflict', message: /not held/ })
      await workAll()
      expect(made.handed.map(({ jobId }) => jobId)).toEqual([id])
      expect((await readJob(context, id)).timeline.map(({ event }) => event)).toEqual([
        'queued',
        'held',
        'released',
        'submitting',
        'accepted',
      ])
      expect(await heldOf(database)).toEqual([other.id])
      await cancelFax(context, other.id, 'anna')
      expect(await heldOf(database)).toEqual([])
      expect((await context.queue.depth()).waiting).toBe(0)
    })

    it('comes no nearer to being sent, whoever had it in hand, until it is released', async () => {
      const { submit, hold, context, jobOf } = await desk()
      const { id } = await submit()
      await hold()
      const before = await jobOf(id)
      const steps = [
        { to: 'preparing' },
        { to: 'submitting', attemptId: 'a1' },
        { to: 'rerouted', backend: 'other' },
      ] as const satisfies Move[]
      for (const step of steps) expect((await advance(context, id, step))?.verdict).toBe('refused')
      expect(await jobOf(id)).toEqual(before)
      await releaseFax(context, id, 'anna')
      expect((await advance(context, id, { to: 'submitting', attemptId: 'a1' }))?.verdict).toBe('applies')
    })

    it('does not keep a new fax to the same number from going out', async () => {
      const { submit, hold, workAll, made } = await desk()
      await submit()
      await hold()
      const { id } = await submit()
      await workAll()
      expect(made.handed.map(({ jobId }) => jobId)).toEqual([id])
    })

    it('whose attempt was under way is followed to its end, and is not tried again by itself', async () => {
      const { submit, hold, workAll, pass, made, context, jobOf, work } = await desk()
      const { id } = await submit()
      await work()
      await hold()
      const { attempt_id: attempt } = await jobOf(id)
      made.statuses.set(providerIdOf(attempt ?? ''), { state: 'failed', kind: 'busy', sentence: 'Busy.' })
      pass(20_000)
      await workAll()
      pass(24 * 3_600_000)
      await workAll()
      expect(made.handed).toHaveLength(1)
      const job = await readJob(context, id)
      expect(job).toMatchObject({ status: 'in_progress', next_try_at: null, error: 'Busy.' })
      expect(job.actions).toEqual(['refresh', 'release', 'cancel'])
      expect(job.timeline.at(-1)?.sentence).toBe('Busy. The fax is held. Nothing more is sent until you release it.')
    })

    it('that is delivered meanwhile is held no longer', async () => {
      const { submit, hold, workAll, pass, made, jobOf, work, database } = await desk()
      const { id } = await submit()
      await work()
      await hold()
      made.statuses.set(providerIdOf((await jobOf(id)).attempt_id ?? ''), { state: 'delivered' })
      pass(20_000)
      await workAll()
      expect(await jobOf(id)).toMatchObject({ status: 'SUCCESS', hold: null })
      expect(await heldOf(database)).toEqual([])
    })

    it('of which the provider says that it never got the attempt still waits for a person', async () => {
      const { submit, hold, workAll, pass, made, jobOf, work } = await desk()
      const { id } = await submit()
      made.answers.push(() => Promise.reject(new Error('cut')))
      await work()
      expect((await jobOf(id)).phase).toBe('uncertain')
      await hold()
      pass(3_600_000)
      await workAll()
      pass(3_600_000)
      await workAll()
      expect(made.handed).toHaveLength(1)
      expect(await jobOf(id)).toMatchObject({ phase: 'waiting_retry', next_try_at: null })
    })

    it('is sent again when a person decides so about an unconfirmed attempt', async () => {
      const { submit, hold, workAll, made, jobOf, work, context } = await desk({ find: false })
      const { id } = await submit()
      made.answers.push(() => Promise.reject(new Error('cut')))
      await work()
      await hold()
      await resolveFax(context, id, { outcome: 'send_again' }, anna)
      await workAll()
      expect(made.handed).toHaveLength(2)
      expect(await jobOf(id)).toMatchObject({ phase: 'accepted', hold: null })
    })

    it('that is held again after another restore may have been sent any time since the first', async () => {
      const { submit, hold, jobOf } = await desk()
      const { id } = await submit()
      await hold(new Date(deskStart))
      await hold(new Date(deskStart + 60_000))
      expect(holdOf(await jobOf(id))?.as_of).toBe(new Date(deskStart).toISOString())
    })

    it('says what the provider lists, without faxes that our records know, and who cannot be asked', async () => {
      const { submit, hold, made, context, work, pass } = await desk()
      const known = await submit()
      await work()
      const { provider_id } = await context.database.db
        .selectFrom('fax_jobs')
        .select('provider_id')
        .where('id', '=', known.id)
        .executeTakeFirstOrThrow()
      const [same, other] = [await submit(), await submit({ to_number: '+15555550199' })]
      await hold()
      const sentence = async (id: string) => (await readJob(context, id)).held?.sentence
      await lookUpHeld(context, never)
      expect(await sentence(same.id)).toContain('Made line has no list that Faxdeck can read')
      expect((await readJob(context, same.id)).held?.asked_at).toBeNull()
      made.line.listSent = refusing('rate_limited', 'Asked too often (429).', 600)
      await lookUpHeld(context, never)
      made.line.listSent = async () => []
      pass(599_000)
      await lookUpHeld(context, never)
      expect(await sentence(same.id)).toContain(
        'Made line could not be reached to check what it sent. Faxdeck will try again.',
      )
      pass(1000)
      const at = new Date(deskStart + 60_000)
      made.line.listSent = async () => [
        { providerId: provider_id ?? '', to: '+15555550123', at, state: 'delivered' },
        { providerId: 'later', to: '1 (555) 555-0123', at, state: 'delivered' },
        { providerId: 'before', to: '+15555550123', at: new Date(deskStart - 7 * 3_600_000), state: 'delivered' },
      ]
      await lookUpHeld(context, never)
      expect(await sentence(same.id)).toContain('Made line lists a fax to this number since the backup: delivered.')
      expect((await readJob(context, same.id)).held?.found).toEqual([
        { provider: 'Made line', at: at.toISOString(), state: 'delivered' },
      ])
      expect(await sentence(other.id)).toContain('Made line lists no other fax to this number since the backup.')
      expect((await readJob(context, same.id)).timeline.at(-1)?.event).toBe('provider_list')
    })
  })
})
