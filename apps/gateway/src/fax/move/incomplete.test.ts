import { describe, expect, it } from 'vitest'
import { onSqliteFirst } from '../../testing/databases.ts'
import { faxDesk } from '../../testing/fax-desk.ts'
import { makeLine } from '../../testing/made-line.ts'
import { resendFax } from '../accept/resend.ts'
import { report } from '../line/report.ts'
import { filterJobs } from '../read/job-filter.ts'
import { readJob } from '../read/read-job.ts'
import { resolveFax } from './resolve.ts'

const anna = { callerKeyId: 'anna', idempotencyKey: undefined }
const sentence =
  'The provider reports a delivery but confirmed only 1 of 3 pages. Ask the recipient which pages arrived.'

onSqliteFirst((open) => {
  /** A fax of three pages that its provider calls delivered. */
  async function delivered(pagesConfirmed?: number, before: object[] = []) {
    const database = await open()
    const desk = await faxDesk(database, makeLine())
    const { id } = await desk.submit({ pages: 3 })
    await desk.work()
    const attemptId = (await desk.jobOf(id)).attempt_id ?? ''
    const confirmed = pagesConfirmed === undefined ? {} : { pagesConfirmed }
    for (const update of [...before, { state: 'delivered', ...confirmed }] as const)
      await report(desk.context, 'made', { attemptId, state: 'in_progress', ...update })
    const needy = async () =>
      (await filterJobs(database.db, { status: 'attention' }).select('job.id').execute()).map((job) => job.id)
    return { ...desk, id, needy, read: () => readJob(desk.context, id) }
  }

  describe('a delivery with fewer pages confirmed than the fax has', () => {
    it('is a success that needs a look', async () => {
      const { id, read, needy } = await delivered(1)
      expect(await read()).toMatchObject({ status: 'SUCCESS', needs_attention: true, error: sentence })
      expect(await needy()).toEqual([id])
      expect((await read()).timeline.at(-1)).toMatchObject({ event: 'delivered', sentence })
    })

    it.each([[3], [4], [undefined]])(
      'is nothing that needs anybody with %s of three pages confirmed',
      async (pages) => {
        const { read, needy } = await delivered(pages)
        expect(await read()).toMatchObject({ status: 'SUCCESS', needs_attention: false, error: null })
        expect(await needy()).toEqual([])
      },
    )

    it('needs a look also where it is reported after a failure', async () => {
      const { id, read, needy } = await delivered(0, [{ state: 'failed', kind: 'busy', sentence: 'Busy.' }])
      expect(await read()).toMatchObject({ status: 'SUCCESS', needs_attention: true, pages_confirmed: 0 })
      expect(await needy()).toEqual([id])
    })

    it('needs it no more once a person has seen it, or sends it again', async () => {
      const seen = await delivered(1)
      await expect(resolveFax(seen.context, seen.id, { outcome: 'failed' }, anna)).rejects.toMatchObject({
        code: 'conflict',
      })
      await resolveFax(seen.context, seen.id, { outcome: 'delivered' }, anna)
      expect(await seen.needy()).toEqual([])
      expect(await seen.read()).toMatchObject({ status: 'SUCCESS', error: null, pages_confirmed: 1 })
      expect((await seen.read()).timeline.at(-1)?.sentence).toContain('fewer pages')
      const again = await delivered(1)
      await resendFax(again.context, again.id, anna, { force: true })
      expect(await again.needy()).toEqual([])
    })
  })
})
