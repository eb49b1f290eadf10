import type { Tx } from '../db/database.ts'

/** A piece of work to be done, at most one per kind and subject. */
export interface Work {
  kind: string
  /** The job or received fax it is about. */
  subjectId: string
  /** Whose limit of simultaneous work it counts towards: a provider. */
  lane: string
  /** At most one piece of work per value is under way: a destination number. */
  exclusive?: string
  dueAt: Date
}

/** A piece of work in hand. It is ours until the lease ends; every claim has a higher token than the one before. */
export interface Claim {
  id: string
  kind: string
  subjectId: string
  lane: string
  token: number
  /** How often it was claimed, this time included. */
  tries: number
}

/** What becomes of work that is not finished: when to take it up again, and whether it keeps its number and lane. */
export interface Later {
  dueAt: Date
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

export interface Claimed {
  claims: Claim[]
  /** Whether another look would find more that is due now. */
  more: boolean
}

export interface QueueDepth {
  waiting: number
  under_way: number
  /** When the oldest piece of work that waits was due. */
  oldest_due_at: string | null
}

/** Durable work. Claiming and letting go are safe with any number of processes. */
export interface Queue {
  enqueue: (tx: Tx, works: readonly Work[]) => Promise<void>
  /** Lanes that hold work. */
  lanes: () => Promise<string[]>
  /**
   * Claims up to `most` pieces that are due in a lane where at most `limit` may be under way.
   * @param begin how many of them may be new; any number when left out
   */
  claim: (lane: string, limit: number, most: number, begin?: number) => Promise<Claimed>
  /** Extends the leases; answers the ids of those still ours. */
  renew: (claims: readonly Claim[]) => Promise<Set<string>>
  /** Those claims that are still ours. Nobody can take them before the transaction ends. */
  held: (tx: Tx, claims: readonly Claim[]) => Promise<Set<Claim>>
  /** Ends the work. @throws {LeaseLost} */
  complete: (tx: Tx, claim: Claim) => Promise<void>
  /** Puts the work off. @throws {LeaseLost} */
  reschedule: (tx: Tx, claim: Claim, later: Later) => Promise<void>
  /** Gives claims back untouched, to be taken up at once by whoever is there. */
  release: (claims: readonly Claim[]) => Promise<void>
  /** Gives back every claim, for the only process on a database: at its start they are those of a process that died. */
  recover: () => Promise<void>
  /** Ends or puts off the work about subjects, whoever holds it: a claim on it becomes worthless. */
  settle: (tx: Tx, kind: string, settlements: readonly Settlement[]) => Promise<void>
  /** The next instant after now at which work becomes due. */
  nextDue: () => Promise<string | null>
  depth: () => Promise<QueueDepth>
}

/** A write under a lease that has passed to somebody else. */
export class LeaseLost extends Error {
  override name = 'LeaseLost'
  constructor(claim: Claim) {
    super(`The lease on ${claim.kind} ${claim.subjectId} has passed to another worker.`)
  }
}
