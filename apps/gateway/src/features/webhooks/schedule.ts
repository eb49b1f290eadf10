const second = 1000
const minute = 60 * second
const hour = 60 * minute

/** How long after a try without success the next one comes; none after the last. */
const pauses = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 10 * hour]
const longestAsked = 24 * hour

/** What a receiver asked for with Retry-After (RFC 9110, section 10.2.3): seconds or a date; 0 when it is neither. */
function askedMs(retryAfter: string | null, now: Date): number {
  if (retryAfter === null) return 0
  const ms = /^\d+$/.test(retryAfter) ? Number(retryAfter) * second : Date.parse(retryAfter) - now.getTime()
  return ms > 0 ? Math.min(ms, longestAsked) : 0
}

/**
 * When to try again after `tries` tries, never sooner than the receiver asked for; undefined when that was the last.
 */
export function nextTry(tries: number, now: Date, retryAfter: string | null): Date | undefined {
  const pause = pauses[tries - 1]
  if (pause === undefined) return undefined
  return new Date(now.getTime() + Math.max(pause, askedMs(retryAfter, now)))
}
