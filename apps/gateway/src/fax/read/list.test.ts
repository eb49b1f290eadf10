import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import type { Database } from '../../base/db/database.ts'
import type { FaxJobRow } from '../../base/db/tables/tables.ts'
import { transact } from '../../base/db/transact.ts'
import { onEachDatabase } from '../../testing/databases.ts'
import { newJob } from '../../testing/fax-desk.ts'
import { changeCounts } from '../move/counts.ts'
import { exportJobs } from './export.ts'
import { listJobs } from './list.ts'
import { presentSummary } from './present.ts'

const start = Date.UTC(2026, 2, 1, 12)
const phases = { queued: 'queued', in_progress: 'accepted', SUCCESS: 'delivered', FAILED: 'failed' } as const

/** Stores jobs a second apart, the first one oldest. */
async function store(database: Database, changes: Partial<FaxJobRow>[]): Promise<FaxJobRow[]> {
  const jobs = changes.map((change, n) =>
    newJob({
      created_at: new Date(start + n * 1000).toISOString(),
      phase: phases[change.status ?? 'queued'],
      ...change,
    }),
  )
  await database.db.insertInto('fax_jobs').values(jobs).execute()
  await transact(database, async (tx) =>
    changeCounts(
      tx,
      jobs.map(({ backend, status }) => ({ backend, status, by: 1 })),
    ),
  )
  return jobs
}

const able = () => ({ isTest: false, supportsCancel: true, supportsStatus: true })
const list = (database: Database, query: object = {}) =>
  listJobs(database, { limit: 50, ...query }, (jobs) => jobs.map((job) => presentSummary(job, able())))
const idsOf = (jobs: readonly { id: string }[]) => jobs.map(({ id }) => id)

onEachDatabase((open) => {
  describe('the list', () => {
    it('goes through all jobs page by page, newest first, also those of one instant', async () => {
      const database = await open()
      const at = new Date(start).toISOString()
      const jobs = await store(
        database,
        Array.from({ length: 25 }, (_, n) => (n < 10 ? { created_at: at } : {})),
      )
      const seen: string[] = []
      let cursor: string | undefined
      do {
        const page = await list(database, { limit: 7, ...(cursor ? { cursor } : {}) })
        expect(page.total).toBe(25)
        seen.push(...idsOf(page.jobs))
        cursor = page.next_cursor ?? undefined
      } while (cursor)
      const newestFirst = jobs.toSorted((a, b) => (`${a.created_at}${a.id}` < `${b.created_at}${b.id}` ? 1 : -1))
      expect(seen).toEqual(idsOf(newestFirst))
    })

    it('filters by status, provider and day, with the total of each', async () => {
      const database = await open()
      const [a, b, c] = await store(database, [
        { status: 'FAILED', backend: 'one' },
        { status: 'SUCCESS', backend: 'one' },
        { status: 'FAILED', backend: 'two', created_at: '2026-03-04T10:00:00.000Z' },
      ])
      const found = async (query: object) => {
        const { jobs, total } = await list(database, query)
        expect(total).toBe(jobs.length)
        return idsOf(jobs)
      }
      expect(await found({ status: 'FAILED' })).toEqual([c?.id, a?.id])
      expect(await found({ backend: 'one' })).toEqual([b?.id, a?.id])
      expect(await found({ status: 'FAILED', backend: 'one' })).toEqual([a?.id])
      expect(await found({ from: '2026-03-01', to_date: '2026-03-01' })).toEqual([b?.id, a?.id])
      expect(await found({ from: '2026-03-04T11:00:00+01:00' })).toEqual([c?.id])
      expect(await found({ status: 'attention' })).toEqual([])
      expect(await found({ status: ['SUCCESS', 'FAILED'] })).toEqual([c?.id, b?.id, a?.id])
      expect(await found({ status: ['FAILED', 'unresolved'], backend: 'one' })).toEqual([a?.id])
      expect(await found({ status: ['FAILED', 'held'], q: '0123' })).toEqual([c?.id, a?.id])
    })

    it('goes through several statuses page by page, each fax once, in any order', async () => {
      const database = await open()
      const jobs = await store(
        database,
        Array.from({ length: 12 }, (_, n) => ({ status: (['FAILED', 'queued', 'SUCCESS'] as const)[n % 3], pages: n })),
      )
      for (const sort of ['created', 'pages']) {
        const seen: string[] = []
        let cursor: string | undefined
        do {
          const status = ['unresolved', 'FAILED', 'SUCCESS']
          const page = await list(database, { status, sort, limit: 3, ...(cursor ? { cursor } : {}) })
          expect(page.total).toBe(8)
          seen.push(...idsOf(page.jobs))
          cursor = page.next_cursor ?? undefined
        } while (cursor)
        expect(seen).toEqual(idsOf(jobs.filter(({ status }) => status !== 'queued').toReversed()))
      }
    })

    it('hides numbers, also in errors', async () => {
      const database = await open()
      await store(database, [{ status: 'FAILED', error: 'No answer from 15555550123.' }])
      const { jobs } = await list(database)
      expect(jobs).toMatchObject([{ to_number: '********0123', error: 'No answer from ***.', actions: ['resend'] }])
    })

    it('is sorted by the database, either way, page by page, ties by id, and every filter with it', async () => {
      const database = await open()
      const jobs = await store(
        database,
        Array.from({ length: 40 }, (_, n) => {
          const status = (['queued', 'SUCCESS', 'FAILED', 'SUCCESS'] as const)[n % 4]
          const ended = new Date(start + ((n * 7) % 11) * 60_000).toISOString()
          return {
            status,
            backend: n % 3 === 0 ? 'one' : 'two',
            pages: 1 + (n % 5),
            updated_at: ended,
            finished_at: status === 'queued' ? null : ended,
          }
        }),
      )
      const columns = { created: 'created_at', updated: 'updated_at', ended: 'finished_at', pages: 'pages' } as const
      const range = { from: new Date(start + 8000).toISOString(), to_date: new Date(start + 30_000).toISOString() }
      const endedRange = {
        time: 'ended',
        from: new Date(start + 120_000).toISOString(),
        to_date: new Date(start + 420_000).toISOString(),
      }
      const within = (at: string | null, { from, to_date: until }: typeof range) =>
        at !== null && at >= from && at < until
      for (const [sort, column] of Object.entries(columns)) {
        for (const direction of ['asc', 'desc']) {
          for (const query of [
            {},
            { status: 'SUCCESS' },
            { backend: 'one' },
            { backend: 'two', status: 'FAILED' },
            range,
            endedRange,
          ] as { status?: string; backend?: string; from?: string; time?: string }[]) {
            const seen: string[] = []
            let cursor: string | undefined
            do {
              const page = await list(database, { ...query, sort, direction, limit: 7, ...(cursor ? { cursor } : {}) })
              seen.push(...idsOf(page.jobs))
              cursor = page.next_cursor ?? undefined
              if (!cursor) expect(page.total).toBe(seen.length)
            } while (cursor)
            const fitting = jobs.filter(
              (job) =>
                (!query.status || job.status === query.status) &&
                (!query.backend || job.backend === query.backend) &&
                (sort !== 'ended' || job.finished_at !== null) &&
                (!query.from || (query.time ? within(job.finished_at, endedRange) : within(job.created_at, range))),
            )
            const key = (job: FaxJobRow) => `${String(job[column]).padStart(30, '0')} ${job.id}`
            const ascending = fitting.toSorted((a, b) => (key(a) < key(b) ? -1 : 1))
            expect(seen).toEqual(idsOf(direction === 'asc' ? ascending : ascending.toReversed()))
          }
        }
      }
    })

    it('names who is faxed, what is sent and which key sent it', async () => {
      const database = await open()
      const cover = JSON.stringify({ template: 'plain', to: 'Dr. Alvarez' })
      await store(database, [{ cover, file_name: 'letter.pdf', caller_key_id: 'k1' }])
      const { jobs } = await listJobs(database, { limit: 5 }, (rows) =>
        rows.map((job) => presentSummary(job, able(), 'Front desk')),
      )
      expect(jobs).toMatchObject([
        { recipient: 'Dr. Alvarez', file_name: 'letter.pdf', key_id: 'k1', key_name: 'Front desk' },
      ])
    })

    it('refuses a cursor of another order', async () => {
      const database = await open()
      await store(database, [{}, {}])
      const { next_cursor: cursor } = await list(database, { limit: 1, sort: 'pages' })
      await expect(list(database, { sort: 'updated', cursor })).rejects.toMatchObject({ code: 'bad_request' })
    })

    it('refuses a cursor it did not give', async () => {
      await expect(list(await open(), { cursor: 'nonsense' })).rejects.toMatchObject({ code: 'bad_request' })
    })
  })

  describe('a search', () => {
    it('finds an id by its beginning, a number by its end, and words in any case', async () => {
      const database = await open()
      const [a, b, c] = await store(database, [
        { to_number: '+15555550142', file_name: 'Referral Müller.pdf' },
        { to_number: '+15555559999', error: 'The line was BUSY 100%', status: 'FAILED' },
        { to_number: '+4930123450142', file_name: 'lab_7.pdf', backend: 'two' },
      ])
      const found = async (q: string, more: object = {}) => idsOf((await list(database, { q, ...more })).jobs)
      expect(await found(a?.id.slice(0, 8).toUpperCase() ?? '')).toEqual([a?.id])
      expect(await found('555-0142')).toEqual([a?.id])
      expect(await found('0142')).toEqual([c?.id, a?.id])
      expect(await found('0142', { backend: 'two' })).toEqual([c?.id])
      expect(await found('0142', { status: 'FAILED' })).toEqual([])
      expect(await found('rEFERRAL mü')).toEqual([a?.id])
      expect(await found('busy 100%')).toEqual([b?.id])
      expect(await found('%')).toEqual([b?.id])
      expect(await found('_')).toEqual([c?.id])
      expect(await found('nothing like it')).toEqual([])
    })

    it('is paged like any list', async () => {
      const database = await open()
      const jobs = await store(
        database,
        Array.from({ length: 9 }, (_, n) => ({ file_name: n % 2 ? 'other.pdf' : 'wanted.pdf' })),
      )
      const first = await list(database, { q: 'wanted', limit: 3 })
      const second = await list(database, { q: 'wanted', limit: 3, cursor: first.next_cursor ?? '' })
      expect([first.total, first.total_is_minimum, second.next_cursor]).toEqual([5, false, null])
      const wanted = jobs.filter(({ file_name }) => file_name === 'wanted.pdf').toReversed()
      expect(idsOf([...first.jobs, ...second.jobs])).toEqual(idsOf(wanted))
    })
  })

  it('the export holds the filtered jobs, hides numbers, and cannot run as a formula', async () => {
    const database = await open()
    const jobs = await store(database, [
      { status: 'FAILED', error: '=HYPERLINK("http://x"),"1"' },
      { status: 'SUCCESS', pages_confirmed: 2 },
    ])
    const failed = await text(await exportJobs(database, () => false, { status: 'FAILED', visible: 'all' }))
    const lines = failed.split('\r\n')
    expect(lines).toHaveLength(3)
    expect(lines[1]).toContain(`${jobs[0]?.id},********0123,FAILED`)
    expect(lines[1]).toContain(`"'=HYPERLINK(""http://x""),""1"""`)
    const chosen = await text(await exportJobs(database, () => true, { visible: 'all' }, [jobs[1]?.id ?? '']))
    expect(chosen.split('\r\n')).toHaveLength(3)
    expect([failed, chosen].map((csv) => csv.split('\r\n')[1]?.split(',').at(-3))).toEqual(['no', 'yes: not sent'])
  })
})
