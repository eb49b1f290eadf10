/**
 * A timeline sentence with the hour it speaks of, which the gateway leaves to the viewer's clock:
 * "Busy. Trying again, attempt 2 of 4." becomes "Busy. Trying again at 14:05, attempt 2 of 4."
 */
export function withHour(sentence: string, hour: string | undefined): string {
  if (!hour) return sentence
  const spoken = sentence.replace(/\btrying again\b(?! at)/i, `$& at ${hour}`)
  return spoken === sentence ? `${sentence} Next at ${hour}.` : spoken
}

/** An instant as an hour of the viewer's day, with the day where it is another one: "14:05", "22 Nov, 14:05". */
export function hourOf(instant: string, now: Date): string {
  const at = new Date(instant)
  const isToday = at.toDateString() === now.toDateString()
  const day = isToday ? {} : ({ day: 'numeric', month: 'short' } as const)
  return new Intl.DateTimeFormat(undefined, { ...day, hour: '2-digit', minute: '2-digit' }).format(at)
}
