import { describe, expect, it } from 'vitest'
import { newJob } from '../testing/fax-desk.ts'
import { onEachDatabase } from '../testing/databases.ts'
import { findRow, insertRows, padded, updateRow } from './rows.ts'
import { transact } from './transact.ts'

onEachDatabase((open) => {
  describe('rows that are written with kept SQL', () => {
    it('hold what was given each time, in and outside transactions', async () => {
      const database = await open()
      const jobs = [newJob({ file_name: "O'Hara.pdf" }), newJob({ pages: 7 }), newJob(), newJob({ parent_id: 'p' })]
      await insertRows(database.db, 'fax_jobs', jobs.slice(0, 2))
      await transact(database, (tx) => insertRows(tx, 'fax_jobs', jobs.slice(2)))
      await insertRows(database.db, 'fax_jobs', [])
      for (const job of jobs) expect(await findRow(database.db, 'fax_jobs', { id: job.id })).toEqual(job)
    })

    it('are all there, however many they are', async () => {
      const { db } = await open()
      for (const count of [1, 2, 3, 7, 64, 65, 150]) {
        const jobs = Array.from({ length: count }, () => newJob({ backend: `of ${count}` }))
        await insertRows(db, 'fax_jobs', jobs)
        const found = await db.selectFrom('fax_jobs').select('id').where('backend', '=', `of ${count}`).execute()
        expect(new Set(found.map(({ id }) => id))).toEqual(new Set(jobs.map(({ id }) => id)))
        const some = padded(jobs.slice(1).map(({ id }) => id))
        const removed = await db
          .deleteFrom('fax_jobs')
          .where('id', 'in', ['none', ...some])
          .executeTakeFirst()
        expect(Number(removed.numDeletedRows)).toBe(count - 1)
      }
    })

    it('change only in the columns named, and only where the id says', async () => {
      const database = await open()
      const [one, other] = [newJob(), newJob()]
      await insertRows(database.db, 'fax_jobs', [one, other])
      await updateRow(database.db, 'fax_jobs', one.id, { error: 'Busy.', attempt_count: 2 })
      await updateRow(database.db, 'fax_jobs', other.id, { error: null, attempt_count: 3 })
      const found = [one, other].map(({ id }) => findRow(database.db, 'fax_jobs', { id }))
      expect(await Promise.all(found)).toEqual([
        { ...one, error: 'Busy.', attempt_count: 2 },
        { ...other, attempt_count: 3 },
      ])
    })

    it('are found by all that is asked for, or not at all', async () => {
      const { db } = await open()
      const job = newJob()
      await insertRows(db, 'fax_jobs', [job])
      expect(await findRow(db, 'fax_jobs', { id: job.id, backend: 'made' })).toEqual(job)
      expect(await findRow(db, 'fax_jobs', { id: job.id, backend: 'other' })).toBeUndefined()
    })
  })
})
