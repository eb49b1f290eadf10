import { describe, expect, it } from 'vitest'
import type { Database } from '../db/database.ts'
import { transact } from '../db/transact.ts'
import { onEachDatabase } from '../testing/databases.ts'
import { createQueue } from './create-queue.ts'
import { type Claim, LeaseLost, type Work } from './queue.ts'

const start = Date.parse('2026-11-21T09:00:00.000Z')

/** A queue with a clock that only moves when told. */
function queueOn(database: Database) {
  const clock = { ms: start }
  const queue = createQueue({ database, now: () => new Date(clock.ms), leaseMs: 15_000 })
  const work = (subjectId: string, more: Partial<Work> = {}): Work => ({
    kind: 'fax',
    subjectId,
    lane: 'line',
    dueAt: new Date(clock.ms),
    ...more,
  })
  return {
    queue,
    work,
    pass: (ms: number) => (clock.ms += ms),
    put: (...works: Work[]) => transact(database, (tx) => queue.enqueue(tx, works)),
    take: async (most = 10, limit = 100) => (await queue.claim('line', limit, most)).claims,
    complete: (claim: Claim) => transact(database, (tx) => queue.complete(tx, claim)),
    later: (claim: Claim, inMs: number, hold: boolean) =>
      transact(database, (tx) => queue.reschedule(tx, claim, { dueAt: new Date(clock.ms + inMs), hold })),
  }
}
const subjects = (claims: readonly Claim[]) => claims.map(({ subjectId }) => subjectId).sort()

onEachDatabase((open, another) => {
  describe('claiming', () => {
    it('gives each piece of work to one worker only', async () => {
      const database = await open()
      const here = queueOn(database)
      const there = queueOn(await another(database))
      await here.put(...Array.from({ length: 60 }, (_, n) => here.work(`job${n}`)))
      const taken: Claim[] = []
      const empty = async (take: typeof here.take) => {
        for (let claims = await take(5); claims.length > 0; claims = await take(5)) taken.push(...claims)
      }
      await Promise.all([empty(here.take), empty(there.take), empty(here.take), empty(there.take)])
      expect(new Set(subjects(taken)).size).toBe(60)
      expect(taken).toHaveLength(60)
    })

    it('takes what is due, in the order of due times, and nothing that is not', async () => {
      const { put, take, work, pass } = queueOn(await open())
      await put(
        work('second', { dueAt: new Date(start - 1000) }),
        work('first', { dueAt: new Date(start - 2000) }),
        work('later', { dueAt: new Date(start + 1000) }),
      )
      expect(subjects(await take(1))).toEqual(['first'])
      expect(subjects(await take())).toEqual(['second'])
      expect(await take()).toEqual([])
      pass(1000)
      expect(subjects(await take())).toEqual(['later'])
    })

    it('keeps to the limit of a lane, held calls included, and does not mind other lanes', async () => {
      const { put, take, later, complete, queue, work } = queueOn(await open())
      await put(...Array.from({ length: 5 }, (_, n) => work(`job${n}`)), work('other', { lane: 'side' }))
      const claims = await take(10, 2)
      expect(claims).toHaveLength(2)
      const [one, two] = claims
      if (!one || !two) throw new Error('unreachable')
      await later(one, 60_000, true)
      expect(await take(10, 2)).toEqual([])
      await complete(two)
      expect(await take(10, 2)).toHaveLength(1)
      expect((await queue.claim('side', 1, 10)).claims).toHaveLength(1)
      expect(await queue.lanes()).toEqual(['line', 'side'])
    })
  })

  describe('a lane that is to begin nothing', () => {
    it('keeps its work waiting, and what is under way goes on', async () => {
      const { put, take, later, queue, pass, work } = queueOn(await open())
      await put(work('first', { dueAt: new Date(start - 1) }), work('second'), work('third'))
      const [first] = await take(1)
      if (!first) throw new Error('unreachable')
      await later(first, 1000, true)
      pass(1000)
      expect(subjects((await queue.claim('line', 100, 10, 0)).claims)).toEqual(['first'])
      expect(subjects((await queue.claim('line', 100, 10, 1)).claims)).toHaveLength(1)
    })
  })

  describe('a lease', () => {
    it('that ran out passes to the next worker, and the late one is refused', async () => {
      const database = await open()
      const { put, take, pass, complete, later, queue, work } = queueOn(database)
      await put(work('job'))
      const [first] = await take()
      if (!first) throw new Error('unreachable')
      expect(await take()).toEqual([])
      pass(15_000)
      const [second] = await take()
      expect(second).toMatchObject({ subjectId: 'job', token: first.token + 1, tries: 2 })
      await expect(complete(first)).rejects.toThrow(LeaseLost)
      await expect(later(first, 0, false)).rejects.toThrow(LeaseLost)
      expect(await transact(database, (tx) => queue.held(tx, [first, second as Claim]))).toEqual(new Set([second]))
      expect(await queue.renew([first])).toEqual(new Set())
      await complete(second as Claim)
      expect(await queue.depth()).toEqual({ waiting: 0, under_way: 0, oldest_due_at: null })
    })

    it('that is renewed stays', async () => {
      const { put, take, pass, queue, work } = queueOn(await open())
      await put(work('job'))
      const claims = await take()
      pass(10_000)
      expect(await queue.renew(claims)).toEqual(new Set(claims.map(({ id }) => id)))
      pass(10_000)
      expect(await take()).toEqual([])
    })

    it('given back is taken up at once', async () => {
      const { put, take, queue, work } = queueOn(await open())
      await put(work('job', { exclusive: '+1' }))
      await queue.release(await take())
      expect(subjects(await take())).toEqual(['job'])
    })

    it('of a process that died is given back when the only process starts again', async () => {
      const { put, take, queue, complete, work } = queueOn(await open())
      const sooner = new Date(start - 1000)
      await put(work('job', { exclusive: '+1', dueAt: sooner }), work('same number', { exclusive: '+1' }))
      const [dead] = await take()
      await queue.recover()
      expect(subjects(await take())).toEqual(['job'])
      await expect(complete(dead as Claim)).rejects.toThrow(LeaseLost)
    })

    it('is worthless once the subject is settled by somebody else', async () => {
      const database = await open()
      const { put, take, complete, queue, work } = queueOn(database)
      await put(work('a'), work('b'))
      const claims = await take()
      await transact(database, async (tx) => {
        const later = { dueAt: new Date(start + 1000), hold: false }
        await queue.settle(tx, 'fax', [
          { subjectId: 'a', later: null },
          { subjectId: 'b', later },
          { subjectId: 'unknown', later },
        ])
      })
      for (const claim of claims) await expect(complete(claim)).rejects.toThrow(LeaseLost)
      expect(await queue.nextDue()).toBe(new Date(start + 1000).toISOString())
    })
  })

  describe('a number', () => {
    it('has one call at a time, also while a call is up without a lease', async () => {
      const { put, take, later, complete, pass, work } = queueOn(await open())
      await put(work('a', { exclusive: '+1' }), work('b', { exclusive: '+1' }), work('c', { exclusive: '+2' }))
      const claims = await take()
      expect(claims).toHaveLength(2)
      const [first, other] = claims.toSorted((one) => (one.subjectId === 'c' ? 1 : -1)) as [Claim, Claim]
      await complete(other)
      await later(first, 60_000, true)
      expect(await take()).toEqual([])
      pass(60_000)
      const [again] = await take()
      expect(again?.subjectId).toBe(first.subjectId)
      await complete(again as Claim)
      expect(await take()).toHaveLength(1)
    })

    it('is not claimed twice by two processes, nor forgotten', async () => {
      const database = await open()
      const here = queueOn(database)
      const there = queueOn(await another(database))
      await here.put(...Array.from({ length: 40 }, (_, n) => here.work(`job${n}`, { exclusive: `+${n % 4}` })))
      const busy = new Set<string>()
      const done: string[] = []
      const empty = async (side: typeof here) => {
        while (done.length < 40) {
          await new Promise((resolve) => setImmediate(resolve))
          for (const claim of await side.take(3)) {
            const number = `+${Number(claim.subjectId.slice(3)) % 4}`
            expect(busy.has(number)).toBe(false)
            busy.add(number)
            await new Promise((resolve) => setTimeout(resolve, 1))
            busy.delete(number)
            await side.complete(claim)
            done.push(claim.subjectId)
          }
        }
      }
      await Promise.all([empty(here), empty(there), empty(here)])
      expect(new Set(done).size).toBe(40)
    })

    it('with a thousand faxes does not hold up the others', async () => {
      const { put, queue, work } = queueOn(await open())
      await put(...Array.from({ length: 1000 }, (_, n) => work(`same${n}`, { exclusive: '+1' })))
      await put(work('other', { exclusive: '+2', dueAt: new Date(start) }))
      const found: Claim[] = []
      for (let more = true; more;) {
        const look = await queue.claim('line', 100, 10)
        found.push(...look.claims)
        more = look.more
      }
      expect(subjects(found)).toContain('other')
      expect(found).toHaveLength(2)
    })
  })
})
