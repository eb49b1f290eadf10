import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from '../db/database.ts'
import { transactTogether } from '../db/commit-group.ts'
import { DatabaseAway, untilBack } from '../db/outage.ts'
import { createPace, type Pace } from './pace.ts'
import { type Claim, isSurelyHeld, LeaseLost, type Queue } from './queue.ts'

/**
 * Does one piece of work. Resolves with the instant to take it up again, keeping its number and lane,
 * or with nothing when it has settled the work itself. The signal aborts when the lease is lost or the worker must stop.
 */
export type WorkHandler = (claim: Claim, signal: AbortSignal) => Promise<Date | undefined>

export interface Worker {
  start: () => void
  /** Takes nothing new, waits at most `graceMs` for work in hand, then gives back what is left. */
  stop: (graceMs: number) => Promise<void>
  /** Leases lost to other workers since the start. */
  leaseLosses: () => number
}

interface WorkerParts {
  database: Database
  queue: Queue
  /** By kind of work. */
  handlers: Readonly<Record<string, WorkHandler>>
  /** How many pieces of a lane may be under way. */
  limitOf: (lane: string) => number
  /** How many pieces of a lane may be begun now; any number when left out. */
  toBegin?: (lane: string) => number
  /** As the queue's: leases are renewed three times in this span. */
  leaseMs: number
  /** Pieces of work in hand at most. */
  maxInHand: number
  /**
   * Milliseconds between two pieces of a lane under the greatest strain: for work that takes the processors, such as
   * drawing and reading pages. None when left out.
   */
  pauseOf?: (lane: string) => number
  /** Watches the event loop. */
  pace?: Pace
  now: () => Date
  log: { error: (facts: object, message: string) => void }
}

/** Another process on SQLite cannot signal new work: look at least this often. */
const longestSleepMs = 1000
const shortestSleepMs = 5
/** Between two looks under the greatest strain: what callers hand in wakes the worker each time. */
const lookPauseMs = 50
const longestBackOffMs = 300_000
/** How long work may take to end once it was asked to stop. */
const unwindMs = 1000
const lookAtClaimsMs = 1000
const followClockMs = 60_000

const backOffMs = (tries: number) => Math.min(1000 * 2 ** Math.min(tries, 10), longestBackOffMs)

/** Does a claim and sees to it that the work goes on, whatever the handler does. */
function createDoing({ database, queue, handlers, now, log }: WorkerParts) {
  const counts = { losses: 0 }
  const putOff = (claim: Claim, dueAt: Date) =>
    transactTogether(database, (tx) => queue.reschedule(tx, claim, { dueAt, hold: true }))
  const failed = async (claim: Claim, signal: AbortSignal, error: unknown) => {
    if (error instanceof LeaseLost) counts.losses++
    // Its outage is spoken of once, and the work goes on when it is over.
    else if (error instanceof DatabaseAway) await untilBack(() => queue.release([claim]))
    else if (signal.aborted) await queue.release([claim])
    else {
      log.error({ err: error, kind: claim.kind, subject: claim.subjectId }, 'Work failed and will be tried again.')
      await putOff(claim, new Date(now().getTime() + backOffMs(claim.tries)))
    }
  }
  const attempt = async (claim: Claim, signal: AbortSignal) => {
    const handler = handlers[claim.kind]
    if (!handler) throw new Error(`Nothing handles work of the kind "${claim.kind}".`)
    const again = await handler(claim, signal)
    if (again) await putOff(claim, again)
  }
  const run = (claim: Claim, signal: AbortSignal): Promise<void> =>
    attempt(claim, signal)
      .catch((error: unknown) => failed(claim, signal, error))
      .catch((error: unknown) => {
        // The lease runs out by itself, and then the work is taken up again.
        if (!(error instanceof LeaseLost)) log.error({ err: error, kind: claim.kind }, 'Work could not be postponed.')
      })
  return { run, counts }
}

interface Look {
  /** Whether another look would find more. */
  more: boolean
  sleepMs: number
}

/** Calls `look` whenever it is woken, one call at a time, and by itself when something becomes due. */
function createLooking(look: () => Promise<Look>, pace: Pace, onFailed: (error: unknown) => void) {
  let timer: NodeJS.Timeout | undefined
  let running = false
  let looking: Promise<void> | undefined
  let woken = false
  const lookUntilDone = async () => {
    let sleepMs = longestSleepMs
    do {
      woken = false
      try {
        const seen = await look()
        woken ||= seen.more
        sleepMs = seen.sleepMs
      } catch (error) {
        onFailed(error)
      }
      // On SQLite nothing above waits for the outside: let requests through between two looks.
      await pace.turn()
      if (running && pace.strain() > 0) await delay(pace.strain() * lookPauseMs)
    } while (running && woken)
    if (running) timer = setTimeout(wake, Math.max(shortestSleepMs, Math.min(longestSleepMs, sleepMs)))
  }
  const ended = () => {
    looking = undefined
    if (woken) wake()
  }
  const wake = () => {
    clearTimeout(timer)
    woken = true
    if (running) looking ??= lookUntilDone().finally(ended)
  }
  return {
    wake,
    start: () => {
      running = true
      wake()
    },
    stop: async () => {
      running = false
      clearTimeout(timer)
      await looking
    },
  }
}

function createHands(run: (claim: Claim, signal: AbortSignal) => Promise<void>, onEnd: () => void) {
  const inHand = new Map<Claim, { abort: AbortController; ended: Promise<void> }>()
  const end = (claim: Claim) => {
    inHand.delete(claim)
    onEnd()
  }
  return {
    size: () => inHand.size,
    hasAny: (lane: string) => [...inHand.keys()].some((claim) => claim.lane === lane),
    claims: () => [...inHand.keys()],
    begin: (claim: Claim) => {
      const abort = new AbortController()
      inHand.set(claim, { abort, ended: run(claim, abort.signal).finally(() => end(claim)) })
    },
    abort: (claim: Claim, reason: Error) => inHand.get(claim)?.abort.abort(reason),
    endWithin: (ms: number) => {
      const all = Promise.all([...inHand.values()].map(({ ended }) => ended))
      return Promise.race([all, delay(ms, undefined, { ref: false })])
    },
  }
}

/** Logs what fails, but an outage of the database: that is spoken of once, elsewhere. */
const logger = (log: WorkerParts['log']) => (message: string) => (error: unknown) => {
  if (!(error instanceof DatabaseAway)) log.error({ err: error }, message)
}

type Hands = ReturnType<typeof createHands>

function createKeeping({ queue, leaseMs, log }: WorkerParts, hands: Hands) {
  const orLog = logger(log)
  let timers: NodeJS.Timeout[] = []
  const renew = async () => {
    const claims = hands.claims()
    const held = await queue.renew(claims)
    for (const claim of claims) if (!held.has(claim.id)) hands.abort(claim, new LeaseLost(claim))
  }
  const renewOrLog = () => void renew().catch(orLog('No lease was renewed.'))
  /** Timers run before what came over the network: a process that froze learns of its losses before it goes on. */
  const letGoOfLost = () => {
    for (const claim of hands.claims()) if (!isSurelyHeld(claim)) hands.abort(claim, new LeaseLost(claim))
  }
  const followClock = () =>
    void queue.followClock().catch(orLog('Work was not rescheduled after the clock was set back.'))
  return {
    start: () => {
      timers = [
        setInterval(renewOrLog, leaseMs / 3),
        setInterval(letGoOfLost, Math.min(leaseMs, lookAtClaimsMs)),
        setInterval(followClock, followClockMs),
      ]
      followClock()
    },
    stop: async () => {
      timers.forEach(clearInterval)
      await queue.release(hands.claims()).catch((error: unknown) => {
        // Leases run out by themselves.
        if (!(error instanceof DatabaseAway)) throw error
      })
    },
  }
}

/** Claims what is due. Of each lane one piece may be in hand, whatever others have. */
function createLook(parts: WorkerParts, hands: Hands, pace: Pace, sparesLeases: () => boolean) {
  const { queue, handlers, limitOf, toBegin = () => Infinity, pauseOf = () => 0 } = parts
  const kinds = Object.keys(handlers)
  const begunAt = new Map<string, number>()
  const claim = async (lane: string, max: number) => {
    const manner = { kinds, begin: toBegin(lane), inHand: hands.claims(), spareLeases: sparesLeases() }
    const { claims, more } = await queue.claim(lane, limitOf(lane), max, manner)
    claims.forEach(hands.begin)
    if (claims.length > 0 && pauseOf(lane) > 0) begunAt.set(lane, performance.now())
    return more
  }
  return async (): Promise<Look> => {
    let more = false
    let pausedMs = Infinity
    const began = performance.now()
    const { lanes, nextMs } = await queue.due()
    for (const lane of lanes) {
      const pauseMs = pace.strain() * pauseOf(lane)
      const leftMs = (begunAt.get(lane) ?? -Infinity) + pauseMs - performance.now()
      const room = Math.max(pace.room() - hands.size(), hands.hasAny(lane) ? 0 : 1)
      if (leftMs > 0) pausedMs = Math.min(pausedMs, leftMs)
      else if (room > 0) more = (await claim(lane, pauseMs > 0 ? 1 : room)) || more
    }
    const dueMs = (nextMs ?? longestSleepMs) - (performance.now() - began)
    return { more: more && hands.size() < pace.room(), sleepMs: Math.min(dueMs, pausedMs) }
  }
}

/** Works on the queue. Any number of processes may do so at once. */
export function createWorker(parts: WorkerParts): Worker {
  const { database, leaseMs, log, pace = createPace(parts.maxInHand) } = parts
  const { run, counts } = createDoing(parts)
  let sparesLeasesUntil = Infinity
  /** Who could not renew while the database was away does so first when it is back. */
  const spareLeases = () => (sparesLeasesUntil = performance.now() + leaseMs / 2)
  const logUnread = logger(log)('The queue cannot be read; trying again.')
  const hands = createHands(run, () => looking.wake())
  const look = createLook(parts, hands, pace, () => performance.now() < sparesLeasesUntil)
  const looking = createLooking(look, pace, (error) => {
    spareLeases()
    logUnread(error)
  })
  const keeping = createKeeping(parts, hands)
  let stopListening = () => {}
  return {
    start: () => {
      stopListening = database.signals.on('queue', looking.wake)
      keeping.start()
      spareLeases()
      looking.start()
    },
    stop: async (graceMs) => {
      stopListening()
      await looking.stop()
      await hands.endWithin(graceMs)
      for (const claim of hands.claims()) hands.abort(claim, new Error('The gateway is stopping.'))
      await hands.endWithin(unwindMs)
      await keeping.stop()
    },
    leaseLosses: () => counts.losses,
  }
}
