import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { Database } from '../db/database.ts'
import { transact } from '../db/transact.ts'
import { onEachDatabase } from '../../testing/databases.ts'
import { createQueue } from './create-queue.ts'
import type { Pace } from './pace.ts'
import { LeaseLost } from './queue.ts'
import { createWorker, type WorkHandler } from './worker.ts'

const leaseMs = 300
const within = { timeout: 4500 }

interface Manner {
  limit?: number
  lease?: number
  maxInHand?: number
  pace?: Pace
  pauseOf?: () => number
}

function workerOn(
  database: Database,
  handler: WorkHandler,
  { limit = 10, lease = leaseMs, maxInHand = 10, ...pace }: Manner = {},
) {
  const now = () => new Date()
  const queue = createQueue({ database, now, leaseMs: lease })
  const errors: string[] = []
  const log = { error: (_: object, message: string) => void errors.push(message) }
  const limits = { limitOf: () => limit, maxInHand, ...pace }
  const worker = createWorker({ database, queue, handlers: { fax: handler }, ...limits, leaseMs: lease, now, log })
  onTestFinished(() => worker.stop(0))
  const put = (...subjects: string[]) => putIn('line', ...subjects)
  const putIn = (lane: string, ...subjects: string[]) =>
    transact(database, (tx) =>
      queue.enqueue(
        tx,
        subjects.map((subjectId) => ({ kind: 'fax', subjectId, lane, dueAt: now() })),
      ),
    )
  const completing: WorkHandler = async (claim) => {
    await transact(database, (tx) => queue.complete(tx, claim))
    return undefined
  }
  return { queue, worker, put, putIn, errors, completing }
}

onEachDatabase((open, another) => {
  describe('a worker', () => {
    it('takes up work when it is committed, and again when the handler says so', async () => {
      const database = await open()
      const seen: number[] = []
      const side = workerOn(database, async (claim, signal) => {
        seen.push(claim.tries)
        return claim.tries < 3 ? new Date(Date.now() + 20) : side.completing(claim, signal)
      })
      side.worker.start()
      await delay(20)
      await side.put('a')
      await expect.poll(() => seen, within).toEqual([1, 2, 3])
      await expect.poll(async () => (await side.queue.depth()).under_way, within).toBe(0)
    })

    it('keeps to the limit of the lane', async () => {
      const database = await open()
      let now = 0
      let max = 0
      const side = workerOn(
        database,
        async (claim, signal) => {
          max = Math.max(max, ++now)
          await delay(5)
          now--
          return side.completing(claim, signal)
        },
        { limit: 2 },
      )
      await side.put('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h')
      side.worker.start()
      await expect.poll(async () => (await side.queue.depth()).waiting, within).toBe(0)
      expect(max).toBe(2)
    })

    it('draws one piece after the other while the event loop is busy, and the rest at once afterwards', async () => {
      const database = await open()
      let busy = true
      const begun: number[] = []
      const handler: WorkHandler = (claim, signal) => {
        begun.push(performance.now())
        return side.completing(claim, signal)
      }
      const pace: Pace = { turn: () => delay(0), room: () => 10, strain: () => Number(busy) }
      const side = workerOn(database, handler, { pace, pauseOf: () => 100 })
      await side.put('a', 'b', 'c', 'd', 'e', 'f')
      side.worker.start()
      await expect.poll(() => begun.length, within).toBe(3)
      const [first = 0, second = 0, third = 0] = begun
      // A pause may be longer, never shorter.
      expect(Math.min(second - first, third - second)).toBeGreaterThan(90)
      busy = false
      await expect.poll(() => begun.length, within).toBe(6)
    })

    it('has one piece of each lane in hand, however many another lane has', async () => {
      const database = await open()
      const begun: string[] = []
      const endless: WorkHandler = async ({ lane }, signal) => {
        begun.push(lane)
        await delay(60_000, undefined, { signal })
        return undefined
      }
      const side = workerOn(database, endless, { maxInHand: 4, lease: 60_000 })
      await side.put('a', 'b', 'c', 'd', 'e')
      side.worker.start()
      await expect.poll(() => begun, within).toEqual(['line', 'line', 'line', 'line'])
      await side.putIn('webhook 1', 'f', 'g')
      await side.putIn('webhook 2', 'h')
      await expect.poll(() => begun.slice(4).sort(), within).toEqual(['webhook 1', 'webhook 2'])
    })

    it('looks into no lane that has nothing due, however many there are', async () => {
      const database = await open()
      const side = workerOn(database, () => Promise.resolve(undefined))
      const later = new Date(Date.now() + 3_600_000)
      const works = Array.from({ length: 100 }, (_, n) => ({
        kind: 'fax',
        subjectId: `${n}`,
        lane: `idle ${n}`,
        dueAt: later,
      }))
      await transact(database, (tx) => side.queue.enqueue(tx, works))
      const claimed = vi.spyOn(side.queue, 'claim')
      side.worker.start()
      await side.put('a')
      await expect.poll(() => claimed.mock.calls.map(([lane]) => lane), within).toContain('line')
      expect(new Set(claimed.mock.calls.map(([lane]) => lane))).toEqual(new Set(['line']))
    })

    it('has no more in hand than it may, whatever the lanes allow, and takes up the rest when there is room', async () => {
      const database = await open()
      const ends: (() => void)[] = []
      const handler: WorkHandler = async (claim, signal) => {
        await new Promise<void>((resolve) => ends.push(resolve))
        return side.completing(claim, signal)
      }
      const side = workerOn(database, handler, { limit: 60, maxInHand: 8, lease: 15_000 })
      await side.put(...Array.from({ length: 12 }, (_, n) => `job ${n}`))
      side.worker.start()
      await expect.poll(() => ends.length, within).toBe(8)
      expect((await side.queue.depth()).under_way).toBe(8)
      ends.forEach((end) => end())
      await expect.poll(() => ends.length, within).toBe(12)
      ends.forEach((end) => end())
      await expect.poll(async () => (await side.queue.depth()).under_way, within).toBe(0)
    })

    it('renews the lease of long work, so that nobody else takes it', async () => {
      const database = await open()
      const seen: string[] = []
      const long: WorkHandler = async (claim, signal) => {
        seen.push(claim.subjectId)
        await delay(leaseMs * 3, undefined, { signal })
        return first.completing(claim, signal)
      }
      const first = workerOn(database, long)
      const second = workerOn(await another(database), long)
      first.worker.start()
      second.worker.start()
      await first.put('a')
      await expect.poll(async () => (await first.queue.depth()).under_way, within).toBe(1)
      await expect.poll(async () => (await first.queue.depth()).under_way, within).toBe(0)
      expect(seen).toEqual(['a'])
      expect(first.worker.leaseLosses() + second.worker.leaseLosses()).toBe(0)
    })

    it('stops work whose lease may have passed on, while the database cannot say so', async () => {
      const stopped: unknown[] = []
      const side = workerOn(
        await open(),
        async (claim, signal) => {
          claim.heldUntil = performance.now()
          await delay(within.timeout, undefined, { signal }).catch(() => stopped.push(signal.reason))
          return side.completing(claim, signal)
        },
        { lease: 60_000 },
      )
      await side.put('a')
      side.worker.start()
      await expect.poll(() => stopped, within).toEqual([expect.any(LeaseLost)])
    })

    it('tries again later what failed, and says so', async () => {
      const database = await open()
      const side = workerOn(database, async () => {
        throw new Error('a fault of ours')
      })
      await side.put('a')
      side.worker.start()
      await expect.poll(() => side.errors, within).toEqual(['Work failed and will be tried again.'])
      await expect.poll(async () => (await side.queue.due()).nextMs, within).toBeGreaterThan(0)
    })

    it('that stops gives back what it could not finish', async () => {
      const database = await open()
      let began = 0
      const endless: WorkHandler = async (_, signal) => {
        began++
        await delay(60_000, undefined, { signal })
        return undefined
      }
      // A lease that does not run out while the test does: what can be claimed was given back.
      const side = workerOn(database, endless, { lease: 60_000 })
      await side.put('a')
      side.worker.start()
      await expect.poll(() => began, within).toBe(1)
      await side.worker.stop(10)
      // At once: work that was stopped did not fail, and waits for nothing.
      expect((await side.queue.claim('line', 10, 10)).claims).toHaveLength(1)
      expect(side.errors).toEqual([])
    })
  })
})
