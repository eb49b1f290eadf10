import { ProviderProblem } from '@faxdeck/provider-kit'
import { describe, expect, it, vi } from 'vitest'
import type { Database } from '../../base/db/database.ts'
import { onSqliteFirst } from '../../testing/databases.ts'
import { faxDesk } from '../../testing/fax-desk.ts'
import { makeLine, refusing } from '../../testing/made-line.ts'
import { refreshFax } from './refresh.ts'

const second = 1000
const asked = 600
const tooOften = () => Promise.reject(new ProviderProblem('rate_limited', 'Asked too often (429).', asked))

/** Three faxes, and a provider that names a time to whoever asks about one. */
async function besieged(database: Database) {
  const made = makeLine()
  const desk = await faxDesk(database, made)
  const status = vi.fn<NonNullable<typeof made.line.status>>(tooOften)
  const find = vi.fn<NonNullable<typeof made.line.find>>(tooOften)
  Object.assign(made.line, { status, find })
  const submitAll = async () => {
    const ids: string[] = []
    for (const n of [0, 1, 2]) ids.push((await desk.submit({ to_number: `+1555555200${n}` })).id)
    return ids
  }
  const workAll = async () => {
    for (let n = 0; n < 100; n++) if (!(await desk.work())) return
    throw new Error('The work does not end.')
  }
  return { ...desk, made, status, find, submitAll, workAll }
}

onSqliteFirst((open) => {
  describe('a provider that names a time to a question', () => {
    it('is asked for no state of any fax before it, also not by a person, and then again', async () => {
      const { context, status, submitAll, workAll, pass, jobOf } = await besieged(await open())
      const ids = await submitAll()
      await workAll()
      pass(20 * second)
      await workAll()
      expect(status).toHaveBeenCalledTimes(1)
      for (let n = 0; n < 5; n++) {
        pass(100 * second)
        await workAll()
        await refreshFax(context, ids[0] ?? '')
      }
      expect(status).toHaveBeenCalledTimes(1)
      status.mockImplementation(async () => ({ state: 'delivered' }))
      pass(101 * second)
      await workAll()
      for (const id of ids) expect((await jobOf(id)).status).toBe('SUCCESS')
      expect(status).toHaveBeenCalledTimes(4)
    })

    it('that takes too long for a person is said to be away, and the fax stays as it was', async () => {
      const { context, status, submitAll, workAll, jobOf } = await besieged(await open())
      const [id = ''] = await submitAll()
      await workAll()
      const late = AbortSignal.abort(new DOMException('Too late.', 'TimeoutError'))
      vi.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(late)
      status.mockImplementation((_id, signal) => Promise.reject(signal.reason as Error))
      await expect(refreshFax(context, id)).rejects.toMatchObject({ code: 'provider_unavailable' })
      expect((await jobOf(id)).phase).toBe('accepted')
    })

    it('is not asked whether it took a fax before it, and nothing is sent again meanwhile', async () => {
      const { made, find, submitAll, workAll, pass, jobOf } = await besieged(await open())
      made.answers.push(...[1, 2, 3].map(() => refusing('uncertain', 'No answer came.')))
      const ids = await submitAll()
      await workAll()
      for (let n = 0; n < 5; n++) {
        pass(100 * second)
        await workAll()
      }
      expect(find).toHaveBeenCalledTimes(1)
      expect(made.handed).toHaveLength(3)
      find.mockImplementation(async (attemptId) => ({ taken: true, providerId: `made-${attemptId}` }))
      pass(200 * second)
      await workAll()
      for (const id of ids) expect((await jobOf(id)).phase).toBe('accepted')
      expect(find).toHaveBeenCalledTimes(4)
      expect(made.handed).toHaveLength(3)
    })
  })
})
