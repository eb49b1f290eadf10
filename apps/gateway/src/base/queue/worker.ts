import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises'
import type { Database } from '../db/database.ts'
import { transactTogether } from '../db/commit-group.ts'
import { DatabaseAway, untilBack } from '../db/outage.ts'
import { backgroundLane, type Claim, isSurelyHeld, LeaseLost, type Queue } from './queue.ts'

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
  /** True while callers wait for answers: work then begins one piece at a time, with pauses. */
  givesWay?: () => boolean
  now: () => Date
  log: { error: (facts: object, message: string) => void }
}

/** Another process on SQLite cannot signal new work: look at least this often. */
const longestSleepMs = 1000
const shortestSleepMs = 5
/** Between two pieces of work while callers wait: two a second begin even in the longest rush. */
const givingWayMs = 500
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
  return { run, counts, kinds: Object.keys(handlers) }
}

/** Calls `look` whenever it is woken, one call at a time, and by itself when something becomes due. */
function createLooking(look: () => Promise<{ more: boolean; sleepMs: number }>, onFailed: (error: unknown) => void) {
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
      await turn()
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

/** What nobody waits for comes last, and not at all while there is more to do than can be done. */
function inTurn(lanes: readonly string[], isBusy: boolean): string[] {
  const first = lanes.filter((lane) => lane !== backgroundLane)
  return isBusy || first.length === lanes.length ? first : [...first, backgroundLane]
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

/** Works on the queue. Any number of processes may do so at once. */
export function createWorker(parts: WorkerParts): Worker {
  const { database, queue, limitOf, toBegin = () => Infinity, maxInHand, givesWay = () => false, leaseMs, log } = parts
  const { run, counts, kinds } = createDoing(parts)
  let lookedAt = -Infinity
  let sparesLeasesUntil = Infinity
  /** Who could not renew while the database was away does so first when it is back. */
  const spareLeases = () => (sparesLeasesUntil = performance.now() + leaseMs / 2)
  const look = async () => {
    const isGivingWay = givesWay()
    const now = performance.now()
    if (isGivingWay && now < lookedAt + givingWayMs) return { more: false, sleepMs: givingWayMs }
    const max = isGivingWay ? Math.min(maxInHand, hands.size() + 1) : maxInHand
    let more = false
    for (const lane of inTurn(await queue.lanes(), isGivingWay)) {
      const room = max - hands.size()
      if (room <= 0) break
      const manner = { kinds, begin: toBegin(lane), inHand: hands.claims(), spareLeases: now < sparesLeasesUntil }
      const found = await queue.claim(lane, limitOf(lane), room, manner)
      found.claims.forEach(hands.begin)
      more ||= found.more
    }
    lookedAt = performance.now()
    if (isGivingWay) return { more: false, sleepMs: givingWayMs }
    return { more: more && hands.size() < max, sleepMs: (await queue.nextDue()) ?? longestSleepMs }
  }
  const logUnread = logger(log)('The queue cannot be read; trying again.')
  const looking = createLooking(look, (error) => {
    spareLeases()
    logUnread(error)
  })
  const hands = createHands(run, looking.wake)
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
