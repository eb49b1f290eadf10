/** A callback usually comes first; this long after acceptance we begin to ask. */
export const firstPollMs = 15_000

/** The first look at an attempt whose outcome is unknown. */
export const firstLookMs = 5000

/** When an attempt whose outcome is unknown is looked into for the first time. */
export const afterUncertain = (now: Date): Date => new Date(now.getTime() + firstLookMs)
