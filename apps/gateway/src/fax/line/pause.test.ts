import { DocumentProblem } from '@faxdeck/documents'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Database } from '../../base/db/database.ts'
import { ProviderProblem } from '@faxdeck/provider-kit'
import { describePause, pausedProviders } from '../../base/providers/describe-pause.ts'
import { Problem } from '../../base/http/answers/problem.ts'
import { onSqliteFirst } from '../../testing/databases.ts'
import { deskStart, faxDesk } from '../../testing/fax-desk.ts'
import { makeLine, type MadeLine, refusing } from '../../testing/made-line.ts'
import { readTotals } from '../move/counts.ts'
import { listJobs } from '../read/list.ts'
import { presentSummaries, readJob } from '../read/read-job.ts'
import { resumeFaxes } from './resume.ts'

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
    for (let n = 0; n < 200; n++) if (!(await desk.work())) return
    throw new Error('The work does not end.')
  }
  return { ...desk, ids, jobs, workAll, cannotBeReached }
}

onSqliteFirst((open) => {
  describe('a provider that cannot be reached', () => {
    it('is given nothing more after some faxes, and none fails for it', async () => {
      const made = makeLine()
      const { workAll, jobs, context } = await broken(await open(), made)
      await workAll()
      expect(made.handed).toHaveLength(limit)
      const phases = (await jobs()).map(({ phase }) => phase)
      expect(phases.sort()).toEqual([...Array<string>(3).fill('queued'), ...Array<string>(limit).fill('waiting_retry')])
      expect(describePause(context, made.provider)).toBe(
        'Made line cannot be reached since 2026-03-01 12:00 UTC. New faxes wait and are sent when it responds again.',
      )
    })

    it('lets its faxes be listed and counted as waiting, and in no other state, until it responds', async () => {
      const made = makeLine()
      const { workAll, context, ids, pass } = await broken(await open(), made)
      const { database } = context
      const listed = async (status: 'queued' | 'in_progress' | 'waiting', more = {}) => {
        const filter = { status, paused: pausedProviders(context), limit: 99, ...more }
        const { jobs, total } = await listJobs(database, filter, (rows) => presentSummaries(context, rows))
        expect(total).toBe(jobs.length)
        return jobs
      }
      const counted = async () => await readTotals(database, context.now(), pausedProviders(context))
      const none = { queued: 0, in_progress: 0, waiting: 0 }
      expect(await counted()).toMatchObject({ ...none, queued: ids.length })
      await workAll()
      expect(await counted()).toMatchObject({ ...none, waiting: ids.length })
      const waiting = await listed('waiting')
      expect(new Set(waiting.map(({ waiting_for: name }) => name))).toEqual(new Set(['Made line']))
      expect(await listed('waiting', { backend: made.provider.id })).toHaveLength(ids.length)
      for (const q of ['2000', '2007']) expect(await listed('waiting', { q })).toHaveLength(1)
      for (const status of ['queued', 'in_progress'] as const)
        for (const more of [{}, { q: '2000' }, { q: '2007' }]) expect(await listed(status, more)).toEqual([])
      pass(31 * second)
      await workAll()
      expect((await listed('waiting')).every((job) => job.next_try_at && !job.waiting_for)).toBe(true)
    })

    it('gets one fax when the pause is over, and all the others once that was answered', async () => {
      const made = makeLine()
      const { workAll, work, jobs, pass, context, cannotBeReached } = await broken(await open(), made)
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
      expect(describePause(context, made.provider)).toBeUndefined()
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
      const { workAll, context } = await broken(await open(), made)
      made.answers.splice(0, limit, ...Array.from({ length: 8 }, () => refusing('rejected', 'No.')))
      await workAll()
      expect(made.handed).toHaveLength(8)
      expect(context.breakers.downSince('made')).toBeUndefined()
    })
  })

  describe('a provider that refuses our credentials', () => {
    const refused = refusing('bad_credentials', 'Made line refused the credentials (401).')
    const always = (made: MadeLine) => made.answers.splice(0, limit, ...Array.from({ length: 200 }, () => refused))

    it('is asked by one fax at a time, and no fax fails for it', async () => {
      const made = makeLine()
      const { workAll, jobs, pass, context, ids } = await broken(await open(), made, undefined, 50)
      always(made)
      await workAll()
      expect(made.handed).toHaveLength(1)
      for (let n = 0; n < 4; n++, pass(30 * second)) await workAll()
      expect(made.handed.length).toBeLessThan(5)
      expect((await jobs()).filter(({ status }) => status === 'FAILED')).toEqual([])
      expect(describePause(context, made.provider)).toBe(
        'Made line has rejected our credentials since 2026-03-01 12:00 UTC. New faxes wait and are sent when it accepts the credentials. Check them under Settings.',
      )
      const shown = await Promise.all(ids.map((id) => readJob(context, id)))
      expect(new Set(shown.map(({ error }) => error))).toEqual(
        new Set(['Made line refused the credentials (401).', 'Waiting: Made line rejected our credentials.']),
      )
    })

    it('gets every fax, each once, when they work again', async () => {
      const made = makeLine()
      const { workAll, jobs, pass, context } = await broken(await open(), made)
      always(made)
      await workAll()
      made.answers.splice(0)
      for (let n = 0; n < 5; n++, pass(60 * second)) await workAll()
      expect((await jobs()).map(({ phase }) => phase)).toEqual(Array(8).fill('accepted'))
      expect(new Set(made.handed.map(({ to }) => to)).size).toBe(8)
      expect(describePause(context, made.provider)).toBeUndefined()
    })

    it('is replaced by the backup provider, as one that cannot be reached', async () => {
      const [made, other] = [makeLine(), makeLine({ id: 'other' })]
      const { workAll, jobs, pass, ids, context } = await broken(await open(), made, other, 6)
      always(made)
      // Of the first pause, a fax waits for three quarters at least.
      const random = vi.spyOn(Math, 'random').mockReturnValue(0)
      onTestFinished(() => {
        random.mockRestore()
      })
      await workAll()
      pass(29 * second)
      await workAll()
      expect([made.handed.length, other.handed.length]).toEqual([1, 6])
      const moved = (await jobs()).find(({ backend }) => backend === 'other')
      expect(ids).toContain(moved?.id)
      expect((await readJob(context, moved?.id ?? '')).timeline).toContainEqual(
        expect.objectContaining({
          sentence: 'Made line rejected our credentials and does not have this fax. Made line sends it.',
        }),
      )
    })

    it('lets a fax go after a day', async () => {
      const made = makeLine()
      const { workAll, jobs, pass } = await broken(await open(), made, undefined, 1)
      always(made)
      await workAll()
      pass(24 * 3600 * second)
      await workAll()
      expect(await jobs()).toMatchObject([{ status: 'FAILED', error_kind: 'bad_credentials' }])
    })
  })

  it('new credentials of one provider take up its own faxes, and those of no other', async () => {
    const [made, other] = [makeLine(), makeLine({ id: 'other' })]
    const { submit, work, context } = await faxDesk(await open(), made, other)
    const refused = refusing('bad_credentials', 'It refused the credentials (401).')
    for (const { answers } of [made, other]) answers.push(refused)
    context.providers.standIn = () => undefined
    await submit()
    await submit({ to_number: numberOf(1), backend: 'other' })
    while (await work());
    expect([made.handed.length, other.handed.length]).toEqual([1, 1])
    for (const id of ['made', 'other']) context.breakers.forget(id)
    await resumeFaxes(context, 'made')
    while (await work());
    expect([made.handed.length, other.handed.length]).toEqual([2, 1])
  })

  it('a provider whose credentials are taken away keeps its faxes until it has some again', async () => {
    const made = makeLine()
    const { workAll, jobs, context } = await broken(await open(), made, undefined, 3)
    made.answers.splice(0)
    const { line } = context.providers
    const sentence = 'Made line needs MADE_KEY. Set it under Settings.'
    context.providers.line = () => {
      throw new Problem('provider_not_configured', sentence)
    }
    await workAll()
    expect(made.handed).toEqual([])
    const waiting = { status: 'in_progress', phase: 'waiting_retry', error_kind: 'bad_credentials', error: sentence }
    expect(await jobs()).toMatchObject([waiting, waiting, waiting])

    context.providers.line = line
    await resumeFaxes(context, 'made')
    await workAll()
    expect(made.handed).toHaveLength(3)
  })

  it('a document that turns out to be broken says nothing about the way to its provider', async () => {
    const made = makeLine()
    const { workAll, jobs, context } = await broken(await open(), made)
    const cannotBeRead = () => Promise.reject(new DocumentProblem('broken', 'The document cannot be read.'))
    made.answers.splice(0, limit, ...Array.from({ length: 8 }, () => cannotBeRead))
    await workAll()
    expect(new Set((await jobs()).map(({ error_kind }) => error_kind))).toEqual(new Set(['bad_document']))
    expect(context.breakers.pauseOf('made')).toBeUndefined()
  })

  describe('a provider that names a time before which it wants no fax', () => {
    it('is not asked before it, and gets every fax once afterwards', async () => {
      const [made, other] = [makeLine(), makeLine({ id: 'other' })]
      const { workAll, jobs, pass, context } = await broken(await open(), made, other)
      made.answers.splice(0, limit, refusing('rate_limited', 'Asked too often (429).', 10))
      await workAll()
      expect(made.handed).toHaveLength(1)
      expect(other.handed).toHaveLength(0)
      expect(describePause(context, made.provider)).toBe(
        'Made line asked for fewer faxes at a time. New faxes wait until 12:00:10 UTC.',
      )
      // Which of those that came together is handed over first is left to chance.
      const next = (await jobs()).find(({ phase }) => phase === 'queued')
      const waiting = await readJob(context, next?.id ?? '')
      expect(waiting).toMatchObject({ status: 'queued', error: 'Waiting: Made line asked for fewer faxes at a time.' })
      pass(9 * second)
      await workAll()
      expect(made.handed).toHaveLength(1)
      for (let n = 0; n < 3; n++, pass(30 * second)) await workAll()
      expect((await jobs()).map(({ phase }) => phase)).toEqual(Array(8).fill('accepted'))
      expect(made.handed).toHaveLength(9)
    })
  })

  it('a fax that waits alone holds up no other', async () => {
    const made = makeLine()
    const { workAll, jobs, context } = await broken(await open(), made)
    const alone = new ProviderProblem('rate_limited', 'Its trunk is busy.', 60, { only: 'this fax' })
    made.answers.splice(0, limit, () => Promise.reject(alone))
    await workAll()
    expect(context.breakers.pauseOf('made')).toBeUndefined()
    const phases = (await jobs()).map(({ phase }) => phase)
    expect(phases.sort()).toEqual([...Array<string>(7).fill('accepted'), 'waiting_retry'])
  })

  it('a line that waits for a reason of its own says which', async () => {
    const made = makeLine()
    const { workAll, jobs, context } = await broken(await open(), made)
    const quiet = new ProviderProblem('rate_limited', 'Nobody is called at night.', 60, { pause: 'Quiet hours.' })
    made.answers.splice(0, limit, () => Promise.reject(quiet))
    await workAll()
    expect(describePause(context, made.provider)).toBe('Made line: Quiet hours. New faxes wait until 12:01:00 UTC.')
    const next = (await jobs()).find(({ phase }) => phase === 'queued')
    expect(await readJob(context, next?.id ?? '')).toMatchObject({ error: 'Waiting: Quiet hours.' })
  })

  it('new settings of a line take up what it had put off, begun or not', async () => {
    const made = makeLine()
    const { workAll, jobs, context } = await broken(await open(), made)
    const quiet = new ProviderProblem('rate_limited', 'Nobody is called at night.', 3600, { pause: 'Quiet hours.' })
    made.answers.splice(0, limit, () => Promise.reject(quiet))
    await workAll()
    const before = new Set((await jobs()).map(({ phase }) => phase))
    expect(before).toEqual(new Set(['queued', 'waiting_retry']))
    made.answers.splice(0)
    context.breakers.forget('made')
    await resumeFaxes(context, 'made')
    await workAll()
    expect(new Set((await jobs()).map(({ phase }) => phase))).toEqual(new Set(['accepted']))
  })

  it('a fax that a line puts off for a reason of its own is not given up, however old it is', async () => {
    const made = makeLine()
    const { workAll, jobs, pass } = await broken(await open(), made, undefined, 1)
    pass(30 * 24 * 3600 * second)
    const quiet = new ProviderProblem('rate_limited', 'Nobody is called at night.', 600, { pause: 'Quiet hours.' })
    made.answers.splice(0, limit, () => Promise.reject(quiet))
    await workAll()
    expect(await jobs()).toMatchObject([{ phase: 'waiting_retry', error_kind: 'rate_limited' }])
    pass(601 * second)
    await workAll()
    expect(await jobs()).toMatchObject([{ phase: 'accepted' }])
  })

  it('a fax that was told a shorter time waits for the longest that was named, backup provider or not', async () => {
    const [made, other] = [makeLine(), makeLine({ id: 'other' })]
    const { work, jobs } = await broken(await open(), made, other, 2)
    made.answers.splice(0, limit, async () => {
      made.answers.push(refusing('rate_limited', 'Asked too often (429).', 600))
      await work()
      throw new ProviderProblem('rate_limited', 'Asked too often (429).', 1)
    })
    await work()
    const earliest = new Date(deskStart + 600 * second).toISOString()
    expect((await jobs()).map(({ next_try_at }) => String(next_try_at) >= earliest)).toEqual([true, true])
  })

  describe('a stand-in', () => {
    it('sends what nobody has taken, with its own attempts, counts and words', async () => {
      const [made, other] = [makeLine(), makeLine({ id: 'other' })]
      const database = await open()
      const { workAll, jobs, pass, context, ids } = await broken(database, made, other)
      await workAll()
      expect(other.handed).toHaveLength(3)
      expect(describePause(context, made.provider)).toContain('Made line sends new faxes in the meantime.')
      pass(29 * second)
      await workAll()
      const moved = (await jobs()).filter(({ backend }) => backend === 'other')
      expect(moved.map(({ phase }) => phase)).toEqual(moved.map(() => 'accepted'))
      // Faxes between two attempts are counted in their status as well.
      const counts = await database.db.selectFrom('job_counts').selectAll().where('status', '<>', 'waiting').execute()
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
      const { workAll, jobs, cannotBeReached, submit, jobOf } = await broken(await open(), made, other, 16)
      other.answers.push(...Array.from({ length: limit }, () => cannotBeReached))
      await workAll()
      expect([made.handed.length, other.handed.length]).toEqual([limit, limit])
      const late = await submit({ to_number: numberOf(99) })
      await workAll()
      expect(await jobOf(late.id)).toMatchObject({ phase: 'queued', backend: 'made' })
      expect((await jobs()).every(({ status }) => status !== 'FAILED')).toBe(true)
    })
  })
})
