import { asCanceled, ProviderProblem } from '@faxdeck/provider-kit'
import { describe, expect, it } from 'vitest'
import { onSqliteFirst } from '../../testing/databases.ts'
import { faxDesk } from '../../testing/fax-desk.ts'
import { makeLine } from '../../testing/made-line.ts'
import { cancelFax } from './cancel.ts'
import { readJob } from '../read/read-job.ts'
import { report } from './report.ts'

onSqliteFirst((open) => {
  describe('a fax that its provider has taken', () => {
    const taken = async () => {
      const made = makeLine()
      const desk = await faxDesk(await open(), made)
      const { id } = await desk.submit()
      await desk.work()
      return { ...desk, made, id }
    }

    it('is canceled once the provider promises that it will not go out', async () => {
      const { context, made, id, jobOf } = await taken()
      made.line.cancel = async () => true
      await cancelFax(context, id, 'k')
      expect(await jobOf(id)).toMatchObject({ phase: 'failed', error_kind: 'cancelled' })
    })

    it('is canceled with the pages that had arrived, and nothing contradicts that', async () => {
      const { context, made, id, jobOf } = await taken()
      const { attempt_id: attemptId } = await jobOf(id)
      const end = { attemptId: attemptId ?? '', state: 'failed', kind: 'partial', pagesConfirmed: 2 } as const
      made.line.cancel = async () => {
        // A hook tells of the broken call first, and the line says that it hung up.
        await report(context, 'made', end)
        await report(context, 'made', asCanceled(end))
        return true
      }
      await cancelFax(context, id, 'k')
      // The engine tells the same end once more, and a hook may do so much later.
      await report(context, 'made', end)
      const cancelled = { status: 'FAILED', error_kind: 'cancelled', pages_confirmed: 2 }
      expect(await jobOf(id)).toMatchObject(cancelled)
      expect((await jobOf(id)).error).toMatch(/^Canceled after page 2\./)
      const { timeline } = await readJob(context, id)
      expect(timeline.map(({ event }) => event)).not.toContain('conflict')
    })

    it('is not refused its end where another word of it came first', async () => {
      const { context, made, id, jobOf } = await taken()
      const { attempt_id: attemptId } = await jobOf(id)
      const rejected = { attemptId: attemptId ?? '', state: 'failed', kind: 'rejected', sentence: 'No.' } as const
      made.line.cancel = async () => {
        await report(context, 'made', rejected)
        await report(context, 'made', asCanceled(rejected))
        return true
      }
      await cancelFax(context, id, 'k')
      expect(await jobOf(id)).toMatchObject({ status: 'FAILED', error_kind: 'rejected' })
      expect((await readJob(context, id)).timeline.map(({ event }) => event)).not.toContain('conflict')
    })

    it.each([true, false])(
      'is not called again when its call ended by itself meanwhile, promised %j',
      async (promised) => {
        const { context, made, id, jobOf } = await taken()
        made.line.cancel = async () => {
          const { attempt_id: attemptId } = await jobOf(id)
          await report(context, 'made', {
            attemptId: attemptId ?? '',
            state: 'failed',
            kind: 'busy',
            sentence: 'Busy.',
          })
          expect((await jobOf(id)).phase).toBe('waiting_retry')
          return promised
        }
        await cancelFax(context, id, 'k')
        expect(await jobOf(id)).toMatchObject({ phase: 'failed', error_kind: 'cancelled', attempt_count: 1 })
      },
    )

    it.each([
      ['refuses to', async () => false],
      ['cannot', undefined],
    ])('is followed further where the provider %s cancel it, and nobody is told otherwise', async (_, cancel) => {
      const { context, made, id, jobOf } = await taken()
      if (cancel) made.line.cancel = cancel
      await expect(cancelFax(context, id, 'k')).rejects.toMatchObject({
        code: 'conflict',
        message: 'The provider has accepted the fax and can’t cancel it.',
      })
      expect(await jobOf(id)).toMatchObject({ phase: 'accepted', error: null, finished_at: null })
    })

    it('is not canceled once a part of it has arrived, and that is said', async () => {
      const { context, id, jobOf } = await taken()
      const { attempt_id: attemptId } = await jobOf(id)
      const cutOff = { state: 'failed', kind: 'partial', sentence: 'Cut off after page 1.', pagesConfirmed: 1 } as const
      await report(context, 'made', { attemptId: attemptId ?? '', ...cutOff })
      expect((await jobOf(id)).phase).toBe('partial')
      await expect(cancelFax(context, id, 'k')).rejects.toMatchObject({
        code: 'conflict',
        message: expect.stringMatching(/^Part of the fax has been delivered/) as unknown,
      })
    })

    it('is left alone when it arrived meanwhile, and that is said', async () => {
      const { context, made, id, jobOf } = await taken()
      made.line.cancel = async () => {
        const { attempt_id: attemptId } = await jobOf(id)
        await report(context, 'made', { attemptId: attemptId ?? '', state: 'delivered', pagesConfirmed: 1 })
        return false
      }
      const refused = { code: 'conflict', message: 'The fax has been delivered.' }
      await expect(cancelFax(context, id, 'k')).rejects.toMatchObject(refused)
    })

    it.each([
      [new ProviderProblem('unreachable', 'Nobody answers at its address.'), 'Nobody answers at its address.'],
      [new DOMException('late', 'TimeoutError'), 'Made line did not respond.'],
    ])('goes on when the provider cannot be asked, and says why', async (error, words) => {
      const { context, made, id, jobOf } = await taken()
      made.line.cancel = () => Promise.reject(error)
      await expect(cancelFax(context, id, 'k')).rejects.toMatchObject({
        code: 'provider_unavailable',
        message: `The fax may still go out, because Made line could not be asked to stop it. ${words} Try again shortly.`,
      })
      expect((await jobOf(id)).phase).toBe('accepted')
    })
  })
})
