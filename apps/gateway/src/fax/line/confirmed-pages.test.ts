import { describe, expect, it } from 'vitest'
import { onSqliteFirst } from '../../testing/databases.ts'
import { faxDesk } from '../../testing/fax-desk.ts'
import { makeLine } from '../../testing/made-line.ts'
import { report } from './report.ts'

const busy = { state: 'failed', kind: 'busy', sentence: 'The line was busy.', pagesConfirmed: 2 } as const
const partial = {
  status: 'FAILED',
  error_kind: 'partial',
  pages_confirmed: 2,
  error: 'The transmission was cut off after 2 pages. The line was busy.',
  attempt_count: 1,
}

onSqliteFirst((open) => {
  describe('a failure after confirmed pages is not tried again by itself', () => {
    it('when a callback or a poll tells it', async () => {
      const made = makeLine()
      const { submit, work, context, jobOf } = await faxDesk(await open(), made)
      const { id } = await submit({ pages: 3 })
      await work()
      await report(context, 'made', { ...busy, attemptId: made.handed[0]?.attemptId ?? '' })
      expect(await jobOf(id)).toMatchObject(partial)
    })

    it('when the answer to the handover tells it', async () => {
      const made = makeLine()
      const { submit, work, jobOf } = await faxDesk(await open(), made)
      const { id } = await submit({ pages: 3 })
      made.answers.push(() => Promise.resolve(busy))
      await work()
      expect(await jobOf(id)).toMatchObject(partial)
      expect(await work()).toBe(false)
    })
  })
})
