import { describe, expect, it } from 'vitest'
import type { Database } from '../db/database.ts'
import { tellPause } from '../providers/tell-pause.ts'
import { onEachDatabase } from '../testing/databases.ts'
import { faxDesk } from '../testing/fax-desk.ts'
import { makeLine, type MadeLine, refusing } from '../testing/made-line.ts'

const second = 1000
const limit = 5
const numberOf = (n: number) => `+1555555${String(2000 + n)}`

/** Faxes to so many numbers, and a provider that cannot be reached. */
async function broken(database: Database, made: MadeLine, standIn?: MadeLine, faxes = 8) {
  const desk = await faxDesk(database, made, standIn)
  const ids: string[] = []
  for (let n = 0; n < faxes; n++) ids.push((await desk.submit({ to_number: numberOf(n) })).id)
  const cannotBeReached = refusing('unreachable', 'Nothing listens there.')
  made.answers.push(...Array.from({ length: limit }, () => cannotBeReached))
  const jobs = () =>
    database.db.selectFrom('fax_jobs').selectAll().where('id', 'in', ids).orderBy('to_number').execute()
  /** Works until nothing is due any more, as a worker that does not look at pauses itself. */
  const workAll = async () => {
    for (let n = 0; n < 50; n++) if (!(await desk.work())) return
    throw new Error('The work does not end.')
  }
  return { ...desk, ids, jobs, workAll, cannotBeReached }
}

onEachDatabase((open) => {
  describe('a provider that cannot be reached', () => {
    it('is given nothing more after some faxes, and none fails for it', async () => {
      const made = makeLine()
      const { workAll, jobs, doors } = await broken(await open(), made)
      await workAll()
      expect(made.handed).toHaveLength(limit)
      const phases = (await jobs()).map(({ phase }) => phase)
      expect(phases.sort()).toEqual([...Array<string>(3).fill('queued'), ...Array<string>(limit).fill('waiting_retry')])
      expect(tellPause(doors, made.provider)).toBe(
        'Made line cannot be reached since 2026-03-01 12:00 UTC. New faxes wait and go out when it answers again.',
      )
    })

    it('gets one fax when the pause is over, and all the others once that was answered', async () => {
      const made = makeLine()
      const { workAll, work, jobs, pass, doors, cannotBeReached } = await broken(await open(), made)
      await workAll()
      made.answers.push(cannotBeReached)
      pass(31 * second)
      await workAll()
      expect(made.handed).toHaveLength(limit + 1)
      pass(61 * second)
      made.answers.push(async () => {
        expect(await work()).toBe(true)
        expect(made.handed).toHaveLength(limit + 2)
        return undefined
      })
      await workAll()
      for (let n = 0; n < 5; n++, pass(120 * second)) await workAll()
      expect((await jobs()).map(({ phase }) => phase)).toEqual(Array(8).fill('accepted'))
      expect(tellPause(doors, made.provider)).toBeUndefined()
    })

    it('that hangs is asked no more either, so that few faxes wait for a person', async () => {
      const made = makeLine({ find: false })
      const { workAll, jobs } = await broken(await open(), made)
      made.answers.splice(0, limit, ...Array.from({ length: limit }, () => refusing('uncertain', 'No answer came.')))
      await workAll()
      expect(made.handed).toHaveLength(limit)
      expect((await jobs()).filter(({ phase }) => phase === 'uncertain')).toHaveLength(limit)
    })

    it('is not one that refuses', async () => {
      const made = makeLine()
      const { workAll, doors } = await broken(await open(), made)
      made.answers.splice(0, limit, ...Array.from({ length: 8 }, () => refusing('rejected', 'No.')))
      await workAll()
      expect(made.handed).toHaveLength(8)
      expect(doors.breakers.downSince('made')).toBeUndefined()
    })
  })

  describe('a stand-in', () => {
    it('sends what nobody has taken, with its own attempts, counts and words', async () => {
      const [made, other] = [makeLine(), makeLine({ id: 'other' })]
      const database = await open()
      const { workAll, jobs, pass, doors, ids } = await broken(database, made, other)
      await workAll()
      expect(other.handed).toHaveLength(3)
      expect(tellPause(doors, made.provider)).toContain('Made line sends new faxes meanwhile.')
      pass(29 * second)
      await workAll()
      const moved = (await jobs()).filter(({ backend }) => backend === 'other')
      expect(moved.map(({ phase }) => phase)).toEqual(moved.map(() => 'accepted'))
      const counts = await database.db.selectFrom('job_counts').selectAll().where('jobs', '>', 0).execute()
      expect(counts.reduce((sum, { jobs: n }) => sum + n, 0)).toBe(8)
      const entry = await database.db
        .selectFrom('fax_timeline')
        .select('sentence')
        .where('event', '=', 'rerouted')
        .where('job_id', 'in', ids)
        .executeTakeFirstOrThrow()
      expect(entry.sentence).toBe('Made line cannot be reached and does not have this fax. Made line sends it.')
    })

    it('never sends what the other may have', async () => {
      const [made, other] = [makeLine({ find: false }), makeLine({ id: 'other' })]
      const { workAll, jobs, pass } = await broken(await open(), made, other)
      made.answers.splice(0, limit, ...Array.from({ length: limit }, () => refusing('uncertain', 'No answer came.')))
      for (let n = 0; n < 5; n++, pass(20 * second)) await workAll()
      const uncertain = (await jobs()).filter(({ phase }) => phase === 'uncertain')
      expect(uncertain.map(({ backend }) => backend)).toEqual(Array(limit).fill('made'))
      const twice = new Set([...made.handed, ...other.handed].map(({ to }) => to))
      expect(twice.size).toBe(made.handed.length + other.handed.length)
    })

    it('that cannot be reached either lets the faxes wait', async () => {
      const [made, other] = [makeLine(), makeLine({ id: 'other' })]
      const { workAll, jobs, cannotBeReached } = await broken(await open(), made, other, 16)
      other.answers.push(...Array.from({ length: limit }, () => cannotBeReached))
      await workAll()
      expect([made.handed.length, other.handed.length]).toEqual([limit, limit])
      expect((await jobs()).every(({ status }) => status !== 'FAILED')).toBe(true)
    })
  })
})
