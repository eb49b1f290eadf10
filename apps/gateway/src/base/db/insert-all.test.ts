import { expect, it } from 'vitest'
import { newJob } from '../../testing/fax-desk.ts'
import { onEachDatabase } from '../../testing/databases.ts'
import { insertAll } from './insert-all.ts'

onEachDatabase((open) => {
  it('rows are all inserted, however many they are, each with what was given', async () => {
    const { db } = await open()
    for (const count of [0, 1, 200, 401]) {
      const jobs = Array.from({ length: count }, (_, pages) => newJob({ backend: `of ${count}`, pages }))
      await insertAll(db, 'fax_jobs', jobs)
      const found = await db.selectFrom('fax_jobs').selectAll().where('backend', '=', `of ${count}`).execute()
      expect(found.toSorted((a, b) => a.pages - b.pages)).toEqual(jobs)
    }
  })
})
