import { useSyncExternalStore } from 'react'

/** A formatter made when first needed: for its first one a browser reads the data of the language, which takes long. */
function formatter(options: Intl.DateTimeFormatOptions): (date: Date) => string {
  let made: Intl.DateTimeFormat | undefined
  return (date) => (made ??= new Intl.DateTimeFormat(undefined, options)).format(date)
}

const dayMonth = formatter({ day: 'numeric', month: 'short' })
const dayMonthYear = formatter({ day: 'numeric', month: 'short', year: 'numeric' })
const exact = formatter({ dateStyle: 'full', timeStyle: 'long' })

const sameDay = (a: Date, b: Date) =>
  a.getDate() === b.getDate() && a.getMonth() === b.getMonth() && a.getFullYear() === b.getFullYear()
const twoDigits = (part: number) => String(part).padStart(2, '0')

function clock(date: Date, seconds = false): string {
  const parts = [date.getHours(), date.getMinutes(), ...(seconds ? [date.getSeconds()] : [])]
  return parts.map(twoDigits).join(':')
}

/**
 * An instant in the viewer's zone, as short as it is clear: "14:05" today, "12 Nov 14:05" this year, else with the year.
 * @param at ISO 8601
 */
export function shortTime(at: string, now = new Date(), seconds = false): string {
  const date = new Date(at)
  const time = clock(date, seconds)
  if (sameDay(date, now)) return time
  const day = date.getFullYear() === now.getFullYear() ? dayMonth : dayMonthYear
  return `${day(date)} ${time}`
}

/**
 * A sentence of the gateway with its times in the viewer's zone: "since 2026-11-26 13:02 UTC" becomes "since 14:02".
 * The gateway writes them in UTC, because it does not know who reads them.
 */
export const withLocalTimes = (sentence: string, now = new Date()): string =>
  sentence
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z/g, (at) => shortTime(at, now))
    .replaceAll(/(\d{4}-\d\d-\d\d) (\d\d:\d\d) UTC/g, (_, day: string, time: string) =>
      shortTime(`${day}T${time}:00Z`, now),
    )
    .replaceAll(/\b(\d\d:\d\d:\d\d) UTC/g, (_, time: string) =>
      clock(new Date(`${now.toISOString().slice(0, 10)}T${time}Z`), true),
    )

const minute = 60_000
/**
 * "just now", "3 min ago", "2 h ago" within a day; then the day and time, of another year the day alone.
 * @param at ISO 8601
 * @param brief the day alone, as soon as it is more than a day ago
 */
export function relativeTime(at: string, now = new Date(), brief = false): string {
  const passed = now.getTime() - Date.parse(at)
  // A clock that runs ahead of ours.
  if (passed < -minute || passed >= 24 * 60 * minute) {
    const date = new Date(at)
    if (date.getFullYear() !== now.getFullYear()) return dayMonthYear(date)
    return brief && passed > 0 ? dayMonth(date) : shortTime(at, now)
  }
  if (passed < minute) return 'just now'
  const minutes = Math.floor(passed / minute)
  return minutes < 60 ? `${minutes} min ago` : `${Math.floor(minutes / 60)} h ago`
}

/** One clock for everything that says how long ago it was. */
const listeners = new Set<() => void>()
let ticking: ReturnType<typeof setInterval> | undefined
function onTick(listener: () => void): () => void {
  listeners.add(listener)
  ticking ??= setInterval(() => listeners.forEach((notify) => notify()), minute / 2)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(ticking)
    ticking = undefined
  }
}

/** How long ago it was, exact while pointed at. @param at ISO 8601 @param brief for a narrow column */
export function Ago({ at, brief = false }: { at: string; brief?: boolean }) {
  const words = useSyncExternalStore(onTick, () => relativeTime(at, new Date(), brief))
  return (
    <time dateTime={at} onPointerEnter={({ currentTarget }) => (currentTarget.title = exact(new Date(at)))}>
      {words}
    </time>
  )
}

interface Props {
  /** ISO 8601; nothing known shows a dash. */
  at: string | null | undefined
  seconds?: boolean
  /** The day alone, for what ends on a day. */
  dayOnly?: boolean
  /** With the day and year, also today: for what is kept, copied or printed. */
  dated?: boolean
}

const datedTime = (date: Date, seconds: boolean) => `${dayMonthYear(date)} ${clock(date, seconds)}`

/** A time in the viewer's zone, exact with its zone while pointed at. */
export function Time({ at, seconds = false, dayOnly = false, dated = false }: Props) {
  if (!at) return <span aria-label="never">—</span>
  const date = new Date(at)
  const words = dated ? datedTime(date, seconds) : shortTime(at, new Date(), seconds)
  return (
    <time dateTime={at} onPointerEnter={({ currentTarget }) => (currentTarget.title = exact(new Date(at)))}>
      {dayOnly ? dayMonthYear(date) : words}
    </time>
  )
}
