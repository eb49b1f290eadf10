import type { ReportFigures } from '@faxdeck/contract'
import { grouped } from '../../ui/words/figures.ts'

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
