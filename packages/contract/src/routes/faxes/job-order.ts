import { z } from 'zod'

/** What the list can be sorted by; by `ended` it holds only faxes that have ended. */
export const jobSort = z.enum(['created', 'updated', 'ended', 'pages'])
export type JobSort = z.infer<typeof jobSort>
export const jobDirection = z.enum(['desc', 'asc'])
/** At most this many jobs of a time range, a search or a short list can be sorted by anything but that time. */
export const maxSorted = 10_000
