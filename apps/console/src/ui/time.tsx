const sameDay = (a: Date, b: Date) => a.toDateString() === b.toDateString()

const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
const clockWithSeconds = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
})
const dayMonth = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' })
const dayMonthYear = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' })
const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' })

/**
 * An instant in the viewer's zone, as short as it is clear: "14:05" today, "12 Nov 14:05" this year, else with the year.
 * @param at ISO 8601
 */
export function shortTime(at: string, now = new Date(), seconds = false): string {
  const date = new Date(at)
  const time = (seconds ? clockWithSeconds : clock).format(date)
  if (sameDay(date, now)) return time
  const day = date.getFullYear() === now.getFullYear() ? dayMonth : dayMonthYear
  return `${day.format(date)} ${time}`
}

/** The time of day alone, for scales whose day is plain. */
export function clockTime(at: string | undefined): string {
  return at === undefined ? '' : clock.format(new Date(at))
}

interface Props {
  /** ISO 8601; nothing known shows a dash. */
  at: string | null | undefined
  seconds?: boolean
  /** The day alone, for what ends on a day. */
  dayOnly?: boolean
}

/** A time in the viewer's zone, exact with its zone while pointed at. */
export function Time({ at, seconds = false, dayOnly = false }: Props) {
  if (!at) return <span aria-label="never">—</span>
  return (
    <time dateTime={at} title={exact.format(new Date(at))}>
      {dayOnly ? dayMonthYear.format(new Date(at)) : shortTime(at, new Date(), seconds)}
    </time>
  )
}
