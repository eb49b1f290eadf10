/** A callback usually comes first; this long after acceptance we begin to ask. */
export const firstPollMs = 15_000

/** The first look at an attempt whose outcome is unknown. */
export const firstLookMs = 5000

/**
 * The next of pauses that double, in milliseconds. Grown from the pause before and not from the age of anything: of two
 * processes whose clocks differ, one would take a fax of a minute ago for an old one.
 */
export const doubled = (putOffMs: number, firstMs: number, longestMs: number): number =>
  Math.min(Math.max(2 * putOffMs, firstMs), longestMs)

/** When an attempt whose outcome is unknown is looked into for the first time. */
export const afterUncertain = (now: Date): Date => new Date(now.getTime() + firstLookMs)
