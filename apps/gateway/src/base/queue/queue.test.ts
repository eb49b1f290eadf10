import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Database } from '../db/database.ts'
import { transact } from '../db/transact.ts'
import { onEachDatabase } from '../../testing/databases.ts'
import { createQueue } from './create-queue.ts'
import { backgroundLane, type Claim, isSurelyHeld, LeaseLost, parked, type Work } from './queue.ts'

const start = Date.parse('2026-11-21T09:00:00.000Z')

/** A queue with a clock that only moves when told. */
function queueOn(database: Database, { byServer = false, ms = start } = {}) {
  const clock = { ms }
  const queue = createQueue({ database, now: () => new Date(clock.ms), leaseMs: 15_000, byServer })
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
    take: async (max = 10, limit = 100) => (await queue.claim('line', limit, max)).claims,
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

    it('leaves alone what only a newer gateway on the same database can do', async () => {
      const { put, work, queue, pass } = queueOn(await open())
      const newer = Array.from({ length: 70 }, (_, n) => work(`new${n}`, { kind: 'hologram' }))
      await put(...newer, work('old', { dueAt: new Date(start) }))
      const take = async (kinds?: string[]) => (await queue.claim('line', 100, 100, kinds && { kinds })).claims
      // More than one look takes in is due before it.
      pass(1000)
      expect(subjects(await take(['fax']))).toEqual(['old'])
      expect(await take(['hologram'])).toHaveLength(64)
      pass(60_000)
      expect(subjects(await take(['fax']))).toEqual(['old'])
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

    it('takes what came by itself before what came in bulk, and of one number too', async () => {
      const { put, take, work } = queueOn(await open())
      // The first two are due before all others: not the one for the number that is wanted below.
      const due = (n: number) => new Date(start - (n < 2 ? 1000 : 0))
      const bulk = (_: unknown, n: number) => work(`bulk${n}`, { bulk: true, exclusive: `number${n}`, dueAt: due(n) })
      await put(...Array.from({ length: 200 }, bulk))
      expect(subjects(await take(2))).toEqual(['bulk0', 'bulk1'])
      await put(work('single', { exclusive: 'number150', dueAt: new Date(start) }))
      expect(subjects(await take(1))).toEqual(['single'])
      const rest = await take(300)
      expect(subjects(rest)).not.toContain('bulk150')
      expect(rest.length).toBeGreaterThan(50)
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
    })

    it('keeps to the limit of a lane also where only a little of it is free', async () => {
      const { put, take, work } = queueOn(await open())
      await put(...Array.from({ length: 6 }, (_, n) => work(`job${n}`)))
      expect(await take(2, 3)).toHaveLength(2)
      expect(await take(2, 3)).toHaveLength(1)
      expect(await take(2, 3)).toEqual([])
    })
  })

  it('knows the lanes with work that is due and that nobody has, the background last', async () => {
    const { put, take, later, queue, pass, work } = queueOn(await open())
    const next = new Date(start + 1000)
    await put(work('held'), work('page', { lane: backgroundLane }), work('bulk', { lane: 'z', bulk: true }))
    await put(work('next', { lane: 'idle', dueAt: next }), work('never', { lane: 'parked', dueAt: parked }))
    expect((await queue.due()).lanes).toEqual(['line', 'z', backgroundLane])
    const [held] = (await take()) as [Claim]
    expect((await queue.due()).lanes).toEqual(['z', backgroundLane])
    await later(held, 1000, true)
    pass(1000)
    expect(new Set((await queue.due()).lanes)).toEqual(new Set(['idle', 'line', 'z', backgroundLane]))
  })

  describe('a lane that is to begin nothing', () => {
    it('keeps its work waiting, and what is under way goes on', async () => {
      const { put, take, later, queue, pass, work } = queueOn(await open())
      await put(work('first', { dueAt: new Date(start - 1) }), work('second'), work('third'))
      const [first] = await take(1)
      if (!first) throw new Error('unreachable')
      await later(first, 1000, true)
      pass(1000)
      expect(subjects((await queue.claim('line', 100, 10, { begin: 0 })).claims)).toEqual(['first'])
      expect(subjects((await queue.claim('line', 100, 10, { begin: 1 })).claims)).toHaveLength(1)
    })
  })

  it('work that is parked is not counted, although the clock goes on while it is put off', async () => {
    const database = await open()
    let ms = start
    const queue = createQueue({ database, now: () => new Date(ms++), leaseMs: 15_000 })
    const held = { kind: 'fax', subjectId: 'held', lane: 'line', dueAt: parked }
    await transact(database, (tx) => queue.enqueue(tx, [held]))
    expect((await queue.depth()).waiting).toBe(0)
    await transact(database, (tx) =>
      queue.settle(tx, 'fax', [{ subjectId: 'held', later: { dueAt: parked, hold: false } }]),
    )
    expect((await queue.depth()).waiting).toBe(0)
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

    it('means nothing to the process that holds it: what it is at work on it never takes again', async () => {
      const { put, take, pass, queue, complete, work } = queueOn(await open())
      await put(work('job'), work('other'))
      const [held, dropped] = (await take()) as [Claim, Claim]
      for (const step of [660_000, -86_400_000, 2 * 86_400_000]) {
        pass(step)
        expect(subjects((await queue.claim('line', 100, 10, { inHand: [held, dropped] })).claims)).toEqual([])
      }
      const again = await queue.claim('line', 100, 10, { inHand: [held] })
      expect(again.claims.map(({ id }) => id)).toEqual([dropped.id])
      await complete(held)
    })

    it('is surely held until it could end, and on a file as long as the process lives', async () => {
      const database = await open()
      const { put, take, queue, work } = queueOn(database)
      await put(work('job'))
      const claims = await take()
      const [claim] = claims as [Claim]
      expect(isSurelyHeld(claim)).toBe(true)
      const clock = vi.spyOn(performance, 'now')
      onTestFinished(() => {
        clock.mockRestore()
      })
      const later = performance.now() + 15_001
      clock.mockImplementation(() => later)
      expect(isSurelyHeld(claim)).toBe(database.engine === 'sqlite')
      await queue.renew(claims)
      expect(isSurelyHeld(claim)).toBe(true)
    })

    it('counts from when it was asked for, however long the answer took', async () => {
      const database = await open()
      const { put, take, work } = queueOn(database)
      await put(work('job'))
      const asked = performance.now()
      const clock = vi
        .spyOn(performance, 'now')
        .mockReturnValueOnce(asked)
        .mockReturnValue(asked + 15_001)
      onTestFinished(() => {
        clock.mockRestore()
      })
      const [claim] = (await take()) as [Claim]
      expect(isSurelyHeld(claim)).toBe(database.engine === 'sqlite')
    })

    it('that ended is not held any more among several processes, even before another one takes the work', async () => {
      const database = await open()
      const { put, take, pass, queue, work } = queueOn(database)
      await put(work('job'))
      const claims = await take()
      const held = () => transact(database, (tx) => queue.held(tx, claims))
      pass(14_999)
      expect(await held()).toEqual(new Set(claims))
      pass(1)
      expect((await held()).size).toBe(database.engine === 'sqlite' ? 1 : 0)
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
      expect((await queue.due()).nextMs).toBe(1000)
    })
  })

  describe('a clock that was a day ahead and is set back', () => {
    it('lets nothing sleep for a day: each piece waits as long as it was meant to', async () => {
      const { put, take, pass, later, queue, work } = queueOn(await open())
      const day = 86_400_000
      await put(work('from before', { dueAt: new Date(start + 7200_000) }))
      pass(day)
      await put(work('at once'), work('in a minute', { dueAt: new Date(start + day + 60_000) }), work('orphan'))
      const claims = await take()
      const retried = claims.find(({ subjectId }) => subjectId === 'at once') as Claim
      await later(retried, 180_000, true)
      pass(-day)
      expect(await take()).toEqual([])
      await queue.followClock()
      pass(15_001)
      // Its holder is gone, and so is a lease of a whole length.
      expect(subjects(await take())).toEqual(['orphan'])
      pass(45_000)
      expect(subjects(await take())).toContain('in a minute')
      pass(120_000)
      expect(subjects(await take())).toContain('at once')
      pass(7200_000)
      expect(subjects(await take())).toContain('from before')
    })
  })

  it('a clock that goes right changes nothing: what was put off comes due when it was to', async () => {
    const { put, take, pass, queue, work } = queueOn(await open())
    await put(work('in a minute', { dueAt: new Date(start + 60_000) }))
    for (const step of [20_000, 20_000, 20_000]) {
      pass(step)
      await queue.followClock()
    }
    expect(subjects(await take())).toEqual(['in a minute'])
  })

  describe('processes whose clocks differ by eleven minutes', () => {
    it('do not take each other’s work on PostgreSQL, and what is due is due for both', async () => {
      const database = await open()
      if (database.engine === 'sqlite') return
      const behind = queueOn(database, { byServer: true })
      const ahead = queueOn(await another(database), { byServer: true, ms: start + 660_000 })
      await behind.put(behind.work('behind'), behind.work('later', { dueAt: new Date(start + 60_000) }))
      const claims = await behind.take()
      expect(subjects(claims)).toEqual(['behind'])
      expect(await ahead.take()).toEqual([])
      expect(await behind.queue.renew(claims)).toEqual(new Set(claims.map(({ id }) => id)))
      expect(await ahead.take()).toEqual([])
      await ahead.put(ahead.work('ahead'))
      expect(subjects(await behind.take())).toEqual(['ahead'])
      expect((await behind.queue.due()).nextMs).toBeGreaterThan(50_000)
      expect((await ahead.queue.due()).nextMs).toBeLessThan(60_001)
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

    it('is called for what came by itself before what came in bulk, also when both waited for its line', async () => {
      const { put, take, complete, work } = queueOn(await open())
      await put(work('under way', { exclusive: '+1', dueAt: new Date(start - 2000) }))
      const [call] = (await take()) as [Claim]
      await put(
        work('bulk', { exclusive: '+1', bulk: true, dueAt: new Date(start - 1000) }),
        work('single', { exclusive: '+1' }),
      )
      expect(await take()).toEqual([])
      await complete(call)
      expect(subjects(await take())).toEqual(['single'])
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
