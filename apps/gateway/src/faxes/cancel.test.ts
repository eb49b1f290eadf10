import { ProviderProblem } from '@faxdeck/provider-kit'
import { describe, expect, it } from 'vitest'
import { onEachDatabase } from '../testing/databases.ts'
import { faxDesk } from '../testing/fax-desk.ts'
import { makeLine } from '../testing/made-line.ts'
import { cancelFax } from './cancel.ts'
import { report } from './report.ts'

onEachDatabase((open) => {
  describe('a fax that its provider has taken', () => {
    const taken = async () => {
      const made = makeLine()
      const desk = await faxDesk(await open(), made)
      const { id } = await desk.submit()
      await desk.work()
      return { ...desk, made, id }
    }

    it('is cancelled once the provider promises that it will not go out', async () => {
      const { doors, made, id, jobOf } = await taken()
      made.line.cancel = async () => true
      await cancelFax(doors, id, 'k')
      expect(await jobOf(id)).toMatchObject({ phase: 'failed', error_kind: 'cancelled' })
    })

    it.each([true, false])(
      'is not called again when its call ended by itself meanwhile, promised %j',
      async (promised) => {
        const { doors, made, id, jobOf } = await taken()
        made.line.cancel = async () => {
          const { attempt_id: attemptId } = await jobOf(id)
          await report(doors, 'made', { attemptId: attemptId ?? '', state: 'failed', kind: 'busy', sentence: 'Busy.' })
          expect((await jobOf(id)).phase).toBe('waiting_retry')
          return promised
        }
        await cancelFax(doors, id, 'k')
        expect(await jobOf(id)).toMatchObject({ phase: 'failed', error_kind: 'cancelled', attempt_count: 1 })
      },
    )

    it('is left alone when it arrived meanwhile, and that is said', async () => {
      const { doors, made, id, jobOf } = await taken()
      made.line.cancel = async () => {
        const { attempt_id: attemptId } = await jobOf(id)
        await report(doors, 'made', { attemptId: attemptId ?? '', state: 'delivered', pagesConfirmed: 1 })
        return false
      }
      const refused = { code: 'conflict', message: 'The fax has been delivered.' }
      await expect(cancelFax(doors, id, 'k')).rejects.toMatchObject(refused)
    })

    it.each([
      [new ProviderProblem('unreachable', 'Nobody answers at its address.'), 'Nobody answers at its address.'],
      [new DOMException('late', 'TimeoutError'), 'Made line gave no answer.'],
    ])('goes on when the provider cannot be asked, and says why', async (error, words) => {
      const { doors, made, id, jobOf } = await taken()
      made.line.cancel = () => Promise.reject(error)
      await expect(cancelFax(doors, id, 'k')).rejects.toMatchObject({
        code: 'provider_unavailable',
        message: `The fax may still go out, because Made line could not be asked to stop it. ${words} Try again shortly.`,
      })
      expect((await jobOf(id)).phase).toBe('accepted')
    })
  })
})
