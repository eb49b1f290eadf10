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
  const day = 86_400
  const at = now.getHours() * 3600 + now.getMinutes() * 60 + now.getSeconds()
  const begin = Number(h1) * 3600 + Number(m1) * 60
  const end = Number(h2) * 3600 + Number(m2) * 60
  const isQuiet = begin < end ? at >= begin && at < end : at >= begin || at < end
  return isQuiet ? (end - at + day) % day : 0
}
