import { setImmediate as turn } from 'node:timers/promises'

/** How much the event loop bears just now. */
export interface Pace {
  /** Lets the event loop go round once, and learns how long that takes. */
  turn: () => Promise<void>
  /** How many pieces of work may be in hand. */
  room: () => number
  /** From 0, at ease, to 1: doubles while the event loop is at work almost without a pause, and halves while it is not. */
  strain: () => number
}

/** What the event loop tells about itself. */
interface Loop {
  turn: () => Promise<unknown>
  /** Milliseconds, steady. */
  now: () => number
  /** Milliseconds since the start in which it was at work, and in which it waited. */
  use: () => { active: number; idle: number }
}

/** Whatever is ready waits for one turn. One that takes longer lets callers wait too long. */
const longTurnMs = 50
/** So much is in hand in the longest rush. */
const minInHand = 32
const busyShare = 0.8
const spanMs = 100
const minStrain = 1 / 64

const ofThisThread: Loop = {
  turn: () => turn(),
  now: () => performance.now(),
  use: () => performance.eventLoopUtilization(),
}

/**
 * Finds out how much work may be in hand by how late the event loop is: long turns halve it, short ones add to it again.
 * Work of our own strains the loop as callers do; the pauses then settle where it is just not overloaded.
 * @param max pieces in hand when nothing is late
 */
export function createPace(max: number, loop: Loop = ofThisThread): Pace {
  const min = Math.min(minInHand, max)
  let room = max
  let last = loop.use()
  let strain = 0
  return {
    turn: async () => {
      const began = loop.now()
      await loop.turn()
      room = loop.now() - began > longTurnMs ? Math.max(min, Math.floor(room / 2)) : Math.min(max, room + 1)
    },
    room: () => room,
    strain: () => {
      const use = loop.use()
      const active = use.active - last.active
      const span = active + use.idle - last.idle
      if (span < spanMs) return strain
      last = use
      strain = active / span > busyShare ? Math.min(1, Math.max(minStrain, strain * 2)) : strain / 2
      return strain < minStrain ? (strain = 0) : strain
    },
  }
}
