import type { Tx } from '../db/database.ts'

/** A piece of work to be done, at most one per kind and subject. */
export interface Work {
  kind: string
  /** The job or received fax it is about. */
  subjectId: string
  /** Whose limit of simultaneous work it counts toward: a provider. */
  lane: string
  /** At most one piece of work per value is under way: a destination number. */
  exclusive?: string
  /** Of many that came together: it begins when no other work of its lane is due. */
  bulk?: boolean
  /** When by the caller's clock; at once when left out, also when that clock is set meanwhile. */
  dueAt?: Date
}

/** The lane of work that nobody waits for: it is done when there is time, and not counted. */
export const backgroundLane = 'background'

/** When work is due that waits for a person: never, as far as the queue is concerned. */
export const parked = new Date('9999-12-31T00:00:00.000Z')

/** A piece of work in hand. It is ours until the lease ends; every claim has a higher token than the one before. */
export interface Claim {
  id: string
  kind: string
  subjectId: string
  lane: string
  token: number
  /** How often it was claimed, this time included. */
  tries: number
  /** How long it had been put off, in milliseconds of the queue's time: no process's clock has a part in it. */
  putOffMs: number
  /**
   * Until when nobody else can have taken it, by `performance.now()`, which a changed clock does not move. Renewing
   * puts it off; for the only process on a database it never comes.
   */
  heldUntil: number
}

/** Whether what must not be done twice may be begun under the claim. */
export const isSurelyHeld = ({ heldUntil }: Claim): boolean => performance.now() < heldUntil

/** What becomes of work that is not finished: when to take it up again, and whether it keeps its number and lane. */
export interface Later {
  /** When by the caller's clock; at once when left out, also when that clock is set meanwhile. */
  dueAt?: Date
  /** True while a call is up: no other work for the number begins. */
  hold: boolean
  /** Moves it to another lane. */
  lane?: string
}

/** What becomes of the work about a subject. */
export interface Settlement {
  subjectId: string
  /** Null ends it. */
  later: Later | null
}

interface ClaimManner {
  /** The kinds that this process can do; every kind when left out. A newer gateway on the same database may know more. */
  kinds?: readonly string[]
  /** How many of the pieces may be new; any number when left out. */
  begin?: number
  /** What this process is at work on. It is not claimed again, whatever became of its leases. */
  inHand?: readonly Claim[]
  /** Leaves alone whose lease has ended: its holder may be about to renew it. */
  spareLeases?: boolean
}

interface Claimed {
  claims: Claim[]
  /** Whether another look would find more that is due now. */
  more: boolean
}

interface Due {
  /** Lanes with work that is due and that nobody has; the background comes last. */
  lanes: string[]
  /** Milliseconds until the next piece of work becomes due that is not so yet. */
  nextMs: number | null
}

interface QueueDepth {
  /** Work that is parked, or in the background, is not counted. */
  waiting: number
  under_way: number
  /** When the oldest piece of work that waits was due. */
  oldest_due_at: string | null
}

/** Durable work. Claiming and letting go are safe with any number of processes. */
export interface Queue {
  enqueue: (tx: Tx, works: readonly Work[]) => Promise<void>
  /** What is due, by two statements, however many lanes there are. */
  due: () => Promise<Due>
  /** Claims up to `max` pieces that are due in a lane where at most `limit` may be under way. */
  claim: (lane: string, limit: number, max: number, manner?: ClaimManner) => Promise<Claimed>
  /** Extends the leases; answers the ids of those still ours. */
  renew: (claims: readonly Claim[]) => Promise<Set<string>>
  /** Those claims that are still ours. Nobody can take them before the transaction ends. */
  held: (tx: Tx, claims: readonly Claim[]) => Promise<Set<Claim>>
  /** Ends the work. @throws {LeaseLost} */
  complete: (tx: Tx, claim: Claim) => Promise<void>
  /** Puts the work off. @throws {LeaseLost} */
  reschedule: (tx: Tx, claim: Claim, later: Later) => Promise<void>
  /** Gives claims back untouched, to be taken up at once by any worker. */
  release: (claims: readonly Claim[]) => Promise<void>
  /** Gives back every claim, for the only process on a database: at its start they are those of a process that died. */
  recover: () => Promise<void>
  /** Ends or puts off the work about subjects, whoever holds it: a claim on it becomes worthless. */
  settle: (tx: Tx, kind: string, settlements: readonly Settlement[]) => Promise<void>
  /** After the clock was set back: what was put off before waits as long as it was meant to, not until the clock is there again. */
  followClock: () => Promise<void>
  depth: () => Promise<QueueDepth>
}

/** A write under a lease that has passed to somebody else. */
export class LeaseLost extends Error {
  override name = 'LeaseLost'
  constructor(claim: Claim) {
    super(`The lease on ${claim.kind} ${claim.subjectId} has passed to another worker.`)
  }
}
