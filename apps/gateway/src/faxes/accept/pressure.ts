/** So many callers at once are a rush; fewer are served without anything else having to wait. */
const rush = 4
/** A rush has small gaps. */
const lingerMs = 200

/** Knows whether many callers are waiting for an answer just now. */
export interface Pressure {
  around: <T>(work: () => Promise<T>) => Promise<T>
  isHigh: () => boolean
}

export function createPressure(now: () => number = () => performance.now()): Pressure {
  let waiting = 0
  let lastRush = -Infinity
  return {
    around: async (work) => {
      waiting += 1
      if (waiting >= rush) lastRush = now()
      try {
        return await work()
      } finally {
        waiting -= 1
      }
    },
    isHigh: () => now() - lastRush < lingerMs,
  }
}
