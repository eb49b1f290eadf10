import { describe, expect, it } from 'vitest'
import { onSqliteFirst } from '../../testing/databases.ts'
import { faxDesk } from '../../testing/fax-desk.ts'
import { makeLine } from '../../testing/made-line.ts'
import { readJob } from '../read/read-job.ts'

const minute = 60_000
const tooFine = { state: 'failed', kind: 'rejected', sentence: 'Too fine.', again: 'coarser' } as const
const unread = { state: 'failed', kind: 'bad_document', sentence: 'Not fetched.', again: 'as_it_is' } as const

onSqliteFirst((open) => {
  async function desk() {
    const made = makeLine()
    const desk = await faxDesk(await open(), made)
    const { id } = await desk.submit()
    const next = async () => {
      desk.pass(2 * minute)
      await desk.work()
      return desk.jobOf(id)
    }
    return { ...desk, made, id, next }
  }

  describe('a failure before any page that is worth another attempt', () => {
    it('is tried once more, and not twice', async () => {
      const { made, work, jobOf, id, next } = await desk()
      made.answers.push(() => Promise.resolve(unread))
      await work()
      expect(await jobOf(id)).toMatchObject({ phase: 'waiting_retry', error_kind: 'bad_document' })
      made.answers.push(() => Promise.resolve(unread))
      expect(await next()).toMatchObject({ status: 'FAILED', attempt_count: 2, error: 'Not fetched.' })
      expect(made.handed.map(({ resolution }) => resolution)).toEqual([undefined, undefined])
    })

    it('is not tried a third time where two calls found no fax machine, whatever the one between them met', async () => {
      const { made, work, context, jobOf, id, next } = await desk()
      const line = { state: 'failed', kind: 'line_error' } as const
      const voice = { ...line, sentence: 'No fax machine was heard.', again: 'unheard' } as const
      made.answers.push(() => Promise.resolve(voice))
      await work()
      expect(await jobOf(id)).toMatchObject({ phase: 'waiting_retry', error_kind: 'line_error' })
      expect((await readJob(context, id)).max_attempts).toBe(2)
      made.answers.push(() => Promise.resolve({ ...line, sentence: 'Dropped.' }))
      expect(await next()).toMatchObject({ phase: 'waiting_retry', error: 'Dropped.' })
      made.answers.push(() => Promise.resolve(voice))
      expect(await next()).toMatchObject({ status: 'FAILED', attempt_count: 3, error: 'No fax machine was heard.' })
    })

    it('goes out at standard resolution where the other machine cannot take a finer one', async () => {
      const { made, work, next } = await desk()
      made.answers.push(() => Promise.resolve(tooFine))
      await work()
      expect(await next()).toMatchObject({ phase: 'accepted', attempt_count: 2 })
      expect(made.handed.map(({ resolution }) => resolution)).toEqual([undefined, 'standard'])
    })

    it('is not tried again once pages were confirmed', async () => {
      const { made, work, jobOf, id } = await desk()
      made.answers.push(() => Promise.resolve({ ...tooFine, pagesConfirmed: 1 }))
      await work()
      expect(await jobOf(id)).toMatchObject({ status: 'FAILED', error_kind: 'partial' })
    })
  })
})
