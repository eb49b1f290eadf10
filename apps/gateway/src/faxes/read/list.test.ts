import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import type { Database } from '../../db/database.ts'
import type { FaxJobRow } from '../../db/tables/tables.ts'
import { transact } from '../../db/transact.ts'
import { onEachDatabase } from '../../testing/databases.ts'
import { newJob } from '../../testing/fax-desk.ts'
import { changeCounts } from '../move/counts.ts'
import { csvCell, exportJobs } from './export.ts'
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
  listJobs(database, { limit: 50, ...query }, (job) => presentSummary(job, able()))
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
    })

    it('hides numbers, also in errors', async () => {
      const database = await open()
      await store(database, [{ status: 'FAILED', error: 'No answer from 15555550123.' }])
      const { jobs } = await list(database)
      expect(jobs).toMatchObject([{ to_number: '********0123', error: 'No answer from ***.', actions: ['resend'] }])
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
    const failed = await text(await exportJobs(database, () => false, { status: 'FAILED' }))
    const lines = failed.split('\r\n')
    expect(lines).toHaveLength(3)
    expect(lines[1]).toContain(`${jobs[0]?.id},********0123,FAILED`)
    expect(lines[1]).toContain(`"'=HYPERLINK(""http://x""),""1"""`)
    const chosen = await text(await exportJobs(database, () => true, {}, [jobs[1]?.id ?? '']))
    expect(chosen.split('\r\n')).toHaveLength(3)
    expect([failed, chosen].map((csv) => csv.split('\r\n')[1]?.split(',').at(-3))).toEqual(['no', 'yes: not sent'])
  })
})

describe('a cell', () => {
  it.each([
    ['=1+1', `'=1+1`],
    ['+49', `'+49`],
    ['-1', `'-1`],
    ['@a', `'@a`],
    ['a,b', '"a,b"'],
    ['a"b', '"a""b"'],
    ['a\nb', '"a\nb"'],
    [null, ''],
    [3, '3'],
  ])('%j is written as %j', (value, written) => {
    expect(csvCell(value)).toBe(written)
  })
})
