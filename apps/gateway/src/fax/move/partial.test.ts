import { describe, expect, it } from 'vitest'
import { onSqliteFirst } from '../../testing/databases.ts'
import { faxDesk } from '../../testing/fax-desk.ts'
import { makeLine } from '../../testing/made-line.ts'
import { readTotals } from './counts.ts'
import { countJobs, filterJobs } from '../read/job-filter.ts'
import { readJob } from '../read/read-job.ts'
import { report } from '../line/report.ts'
import { resendFax } from '../accept/resend.ts'
import { resolveFax } from './resolve.ts'

const anna = { callerKeyId: 'anna', idempotencyKey: undefined }

const broken = {
  state: 'failed',
  kind: 'partial',
  sentence: 'The call was cut off after 1 page.',
  pagesConfirmed: 1,
} as const

onSqliteFirst((open) => {
  /** A fax of which a part arrived. */
  async function desk() {
    const database = await open()
    const desk = await faxDesk(database, makeLine())
    const { id } = await desk.submit({ pages: 3 })
    await desk.work()
    const { attempt_id: attemptId } = await desk.jobOf(id)
    const reportEnd = (change: object = {}) =>
      report(desk.context, 'made', { attemptId: attemptId ?? '', ...broken, ...change })
    await reportEnd()
    const needy = async () => {
      const listed = await filterJobs(database.db, { status: 'attention' }).select('job.id').execute()
      const { total } = await countJobs(database.db, { status: 'attention' })
      const { attention } = await readTotals(database, desk.context.now())
      expect([total, attention]).toEqual([listed.length, listed.length])
      return listed.map((job) => job.id)
    }
    return { ...desk, id, reportEnd, needy }
  }

  describe('a fax of which only a part arrived', () => {
    it('has failed, and asks for attention', async () => {
      const { context, id, needy } = await desk()
      const job = await readJob(context, id)
      expect(job).toMatchObject({ status: 'FAILED', error_kind: 'partial', pages_confirmed: 1, needs_attention: true })
      expect(job.actions).toEqual(['resend', 'resolve'])
      expect(await needy()).toEqual([id])
    })

    it('no longer does so when a person has seen it, and stays as it ended', async () => {
      const { context, id, needy } = await desk()
      await resolveFax(context, id, { outcome: 'failed' }, anna)
      expect(await needy()).toEqual([])
      const job = await readJob(context, id)
      expect(job).toMatchObject({
        status: 'FAILED',
        error: broken.sentence,
        needs_attention: false,
        actions: ['resend'],
      })
      expect(job.attempts).toMatchObject([{ kind: 'partial', pages_confirmed: 1 }])
      await expect(resolveFax(context, id, { outcome: 'failed' }, anna)).rejects.toMatchObject({ code: 'conflict' })
    })

    it('is delivered when a person knows that it arrived whole', async () => {
      const { context, id, needy } = await desk()
      await resolveFax(context, id, { outcome: 'delivered' }, anna)
      expect(await needy()).toEqual([])
      expect(await readJob(context, id)).toMatchObject({ status: 'SUCCESS', error: null, needs_attention: false })
    })

    it('was looked at by whoever sends it again', async () => {
      const { context, id, needy } = await desk()
      const call = { callerKeyId: 'anna', idempotencyKey: undefined }
      const child = await resendFax(context, id, call)
      expect(child.job).toMatchObject({ parent_id: id, phase: 'queued' })
      expect(await needy()).toEqual([])
    })

    it('is not reopened by a decision to send it again', async () => {
      const { context, id } = await desk()
      const refused = { code: 'conflict', message: 'The call is over. To send the whole fax, send it again.' }
      await expect(resolveFax(context, id, { outcome: 'send_again' }, anna)).rejects.toMatchObject(refused)
    })

    it('is believed to have arrived when its provider says so later', async () => {
      const { id, jobOf, reportEnd, needy } = await desk()
      await reportEnd({ state: 'delivered', pagesConfirmed: 3 })
      expect(await jobOf(id)).toMatchObject({ phase: 'delivered', pages_confirmed: 3 })
      expect(await needy()).toEqual([])
    })
  })
})
