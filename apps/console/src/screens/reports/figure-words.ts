import type { ReportFigures } from '@faxdeck/contract'
import { grouped } from '../../ui/words/grouped.ts'

/** "98.2%" of those that were delivered or failed; a dash when none did. Never 100% while one has failed. */
export function successRate({ delivered, failed }: Pick<ReportFigures, 'delivered' | 'failed'>): string {
  if (delivered + failed === 0) return '—'
  return `${Math.floor((delivered / (delivered + failed)) * 1000) / 10}%`
}

/** "42 s", "3 min 5 s", "2 h 10 min"; a dash for none. */
export function durationInWords(seconds: number | null): string {
  if (seconds === null) return '—'
  if (seconds < 60) return `${seconds} s`
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
  return `${grouped(Math.floor(seconds / 3600))} h ${Math.floor((seconds % 3600) / 60)} min`
}

/** "$12.30 + €4.00", to the cent. */
export function costInWords(costs: ReportFigures['costs']): string {
  if (costs.length === 0) return '—'
  return costs.map(({ currency, amount }) => money(currency, Number(amount))).join(' + ')
}

function money(currency: string, amount: number): string {
  try {
    return new Intl.NumberFormat(undefined, { style: 'currency', currency }).format(amount)
  } catch {
    return `${amount.toFixed(2)} ${currency}`
  }
}

const attempts = (count: number) => (count === 1 ? '1 attempt' : `${grouped(count)} attempts`)

/** What the cost lacks; nothing when it is whole. */
export function costGaps({ unpriced, unknown_minutes: unknown }: ReportFigures): string[] {
  return [
    ...(unpriced > 0 ? [`The cost doesn’t include ${attempts(unpriced)} through providers without a price.`] : []),
    ...(unknown > 0 ? [`The cost doesn’t include the minutes of ${attempts(unknown)} whose length isn’t known.`] : []),
  ]
}

const dayMonth = { day: 'numeric', month: 'short', timeZone: 'UTC' } as const

/** A date of the report: "12 Nov", with the year in tables. */
export function dayInWords(date: string, withYear = false): string {
  const options = withYear ? { ...dayMonth, year: 'numeric' as const } : dayMonth
  return new Date(`${date}T00:00:00Z`).toLocaleDateString(undefined, options)
}
