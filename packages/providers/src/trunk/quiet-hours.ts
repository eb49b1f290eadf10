const shape = /^([01]\d|2[0-3]):([0-5]\d)\s*[-–]\s*([01]\d|2[0-3]):([0-5]\d)$/

/** Why the hours cannot be used; nothing when they can. */
export function quietHoursFault(text: string): string | undefined {
  const [, h1, m1, h2, m2] = shape.exec(text) ?? []
  if (h1 === undefined) return 'Write two times of day, for example 22:00-06:30.'
  return h1 === h2 && m1 === m2 ? 'Begin and end are the same: leave it blank to send at any time.' : undefined
}

/**
 * Seconds until sending is allowed again, by the clock of this machine; 0 when it is allowed now.
 * @param text as the setting has it; null when there are no quiet hours
 */
export function quietSecondsLeft(text: string | null, now: Date): number {
  const [, h1, m1, h2, m2] = shape.exec(text ?? '') ?? []
  if (h1 === undefined) return 0
  const at = now.getHours() * 60 + now.getMinutes()
  const [begin, end] = [Number(h1) * 60 + Number(m1), Number(h2) * 60 + Number(m2)]
  const isQuiet = begin < end ? at >= begin && at < end : at >= begin || at < end
  if (!isQuiet) return 0
  // The end is a time of day: a night in which the clocks are changed is an hour shorter or longer.
  const over = new Date(now.getFullYear(), now.getMonth(), now.getDate() + (at < end ? 0 : 1), Number(h2), Number(m2))
  const left = Math.ceil((over.getTime() - now.getTime()) / 1000)
  // In an hour that comes twice, the end may have been there once already.
  return left > 0 ? left : (end - at) * 60 - now.getSeconds()
}
