import { setImmediate as turn } from 'node:timers/promises'

/** How much the event loop bears just now. */
export interface Pace {
  /** Lets the event loop go round once, and learns how long that takes. */
  turn: () => Promise<void>
  /** How many pieces of work may be in hand. */
  room: () => number
  /** Whether the event loop has been at work almost without a pause. */
  isBusy: () => boolean
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
const busyShare = 0.9
const busySpanMs = 200

const ofThisThread: Loop = {
  turn: () => turn(),
  now: () => performance.now(),
  use: () => performance.eventLoopUtilization(),
}

/**
 * Finds out how much work may be in hand by how late the event loop is: long turns halve it, short ones add to it again.
 * @param max pieces in hand when nothing is late
 */
export function createPace(max: number, loop: Loop = ofThisThread): Pace {
  const min = Math.min(minInHand, max)
  let room = max
  let last = loop.use()
  let busy = false
  return {
    turn: async () => {
      const began = loop.now()
      await loop.turn()
      room = loop.now() - began > longTurnMs ? Math.max(min, Math.floor(room / 2)) : Math.min(max, room + 1)
    },
    room: () => room,
    isBusy: () => {
      const use = loop.use()
      const active = use.active - last.active
      const span = active + use.idle - last.idle
      if (span < busySpanMs) return busy
      last = use
      return (busy = active / span > busyShare)
    },
  }
}
