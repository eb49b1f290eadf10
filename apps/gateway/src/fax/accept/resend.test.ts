import { describe, expect, it } from 'vitest'
import type { FaxJobRow } from '../../base/db/tables/tables.ts'
import { onEachDatabase } from '../../testing/databases.ts'
import { deskStart, faxDesk, newJob } from '../../testing/fax-desk.ts'
import { makeLine, refusing } from '../../testing/made-line.ts'
import { filterJobs } from '../read/job-filter.ts'
import { listJobs } from '../read/list.ts'
import { presentSummaries, readJob, readSummaries } from '../read/read-job.ts'
import { resendFax } from './resend.ts'

const anna = { callerKeyId: 'anna', idempotencyKey: undefined }
const minutes = (n: number) => new Date(deskStart + n * 60_000).toISOString()
const unheard = 'Somebody answered, but no fax machine was heard. Check the number.'

onEachDatabase((open) => {
  const desk = async () => {
    const made = makeLine()
    return { ...(await faxDesk(await open(), made)), made }
  }
  /** A fax that failed, and one sent from it after a minute. */
  async function sentTwice(child: Partial<FaxJobRow> = {}, parent: Partial<FaxJobRow> = {}) {
    const { context, made, submit, work } = await desk()
    made.answers.push(refusing('rejected', 'The account is blocked.'))
    const { id } = await submit()
    await work()
    const { db } = context.database
    await db
      .updateTable('fax_jobs')
      .set({ size_bytes: 48, ...parent })
      .where('id', '=', id)
      .execute()
    const again = newJob({ parent_id: id, created_at: minutes(1), updated_at: minutes(2), ...child })
    await db.insertInto('fax_jobs').values(again).execute()
    const unresolved = async () =>
      (await filterJobs(db, { status: 'unresolved' }).select('job.id').execute()).map((job) => job.id)
    return { context, id, again, unresolved }
  }
  const delivered = { status: 'SUCCESS', phase: 'delivered', finished_at: minutes(3) } as const
  const failed = { status: 'FAILED', phase: 'failed', error_kind: 'busy', finished_at: minutes(3) } as const

  describe('a fax that was sent again', () => {
    it('says by which fax, and how that one stands', async () => {
      const { context, id, again } = await sentTwice(delivered)
      const job = await readJob(context, id)
      const as = { id: again.id, status: 'SUCCESS', needs_attention: false, test: false, at: minutes(3) }
      expect(job).toMatchObject({ status: 'FAILED', resent_as: as, resend_refusal: 'already_delivered' })
      const said = { at: minutes(1), event: 'resent', sentence: `Sent again as ${again.id.slice(0, 8)}.`, until: null }
      expect(job.timeline.at(-1)).toEqual(said)
      const page = await listJobs(context.database, { limit: 9 }, (jobs) => presentSummaries(context, jobs))
      expect(page.jobs.map(({ resent_as }) => resent_as)).toEqual([null, as])
    })

    it('tells consoles of both when the later one moves', async () => {
      const { context, id, again } = await sentTwice(delivered)
      expect((await readSummaries(context, [again.id])).map((job) => job.id)).toEqual([again.id, id])
    })

    it('is told by the copy that arrived, however many steps lie between', async () => {
      const { context, id, again } = await sentTwice(failed)
      const last = newJob({ parent_id: again.id, created_at: minutes(5), ...delivered })
      const other = newJob({ parent_id: id, created_at: minutes(9), ...failed })
      await context.database.db.insertInto('fax_jobs').values([last, other]).execute()
      for (const each of [id, again.id])
        expect((await readJob(context, each)).resent_as).toMatchObject({ id: last.id, status: 'SUCCESS' })
      // The last one failed after all that: it says what was delivered only when somebody wants another copy.
      expect(await readJob(context, other.id)).toMatchObject({ resent_as: null, resend_refusal: 'already_delivered' })
    })

    it.each([
      ['already_delivered', delivered, {}],
      ['already_under_way', {}, {}],
      ['already_under_way', { status: 'in_progress', phase: 'uncertain' }, {}],
      ['already_delivered', failed, delivered],
      ['number_failed', failed, { error_kind: 'bad_number' }],
      ['number_failed', failed, { error_kind: 'line_error', error: unheard }],
    ] as const)('is sent once more only by force: %s', async (code, child, parent) => {
      const { context, id } = await sentTwice(child, parent)
      await expect(resendFax(context, id, anna)).rejects.toMatchObject({ code, status: 409 })
      const { job } = await resendFax(context, id, anna, { force: true })
      expect(job).toMatchObject({ parent_id: id })
    })

    it.each([
      ['failed too', failed],
      ['was only a test', { ...delivered, is_test: 1 }],
    ] as const)('is sent once more unasked where the later one %s', async (_, child) => {
      const { context, id } = await sentTwice(child)
      expect(await readJob(context, id)).toMatchObject({ resend_refusal: null })
      await resendFax(context, id, anna)
    })

    it('goes out once when two people do so at once', async () => {
      const { context, id } = await sentTwice(failed)
      const both = await Promise.allSettled([resendFax(context, id, anna), resendFax(context, id, anna)])
      expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    })

    it('goes out once when one person sends the first again and another the later one', async () => {
      const { context, id, again } = await sentTwice({ ...failed, document_key: 'made', size_bytes: 48 })
      const { db } = context.database
      const { document_key: key } = await db
        .selectFrom('fax_jobs')
        .select('document_key')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      await db.updateTable('fax_jobs').set({ document_key: key }).where('id', '=', again.id).execute()
      const both = await Promise.allSettled([id, again.id].map((each) => resendFax(context, each, anna)))
      expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    })

    it('gives its first answer to a repeated call', async () => {
      const { context, id } = await sentTwice(failed)
      const call = { ...anna, idempotencyKey: 'k' }
      const { job } = await resendFax(context, id, call)
      expect(await resendFax(context, id, call)).toMatchObject({ replayed: true, job: { id: job.id } })
    })
  })

  describe('the faxes that nobody has resolved', () => {
    it.each([
      ['the first while nothing was sent again', failed, null, ['first']],
      ['none once it was delivered', failed, delivered, []],
      ['the later one when it failed too', failed, failed, ['again']],
      ['the later one when its outcome is unknown', failed, { status: 'in_progress', phase: 'uncertain' }, ['again']],
      ['none that was canceled', { ...failed, error_kind: 'cancelled' }, null, []],
      ['none that a person closed', { ...failed, error_kind: 'uncertain' }, null, []],
    ] as const)('are %s', async (_, parent, child, expected) => {
      const { context, id, again, unresolved } = await sentTwice(child ?? delivered, parent)
      if (!child) await context.database.db.deleteFrom('fax_jobs').where('id', '=', again.id).execute()
      const ids = { first: id, again: again.id }
      expect(await unresolved()).toEqual(expected.map((name) => ids[name]))
      const all = (jobs: FaxJobRow[]) => presentSummaries(context, jobs)
      for (const change of [{}, { backend: 'made' }, { q: '0123' }, { sort: 'updated' as const }]) {
        const query = { limit: 9, status: 'unresolved' as const, ...change }
        const { jobs, total } = await listJobs(context.database, query, (found) => all([...found]))
        expect([jobs.length, total]).toEqual([expected.length, expected.length])
      }
    })
  })
})
