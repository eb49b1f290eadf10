import type { InputOf, Routes } from '@faxdeck/contract'

/** The filter row as it stands on the screen. */
export interface ReportFields {
  period: 'yesterday' | 'week' | 'month' | 'last-month' | 'year' | 'custom'
  /** Dates of `custom`. */
  from: string
  to: string
  step: 'day' | 'week' | 'month'
  /** The viewer's time zone, or that of the gateway. */
  zone: 'viewer' | 'gateway'
  /** Absent in fields that an earlier version kept. */
  tests?: boolean
}

export const blankFields: ReportFields = { period: 'month', from: '', to: '', step: 'day', zone: 'viewer' }

export const periodChoices = [
  { value: 'yesterday', label: 'Yesterday' },
  { value: 'week', label: 'Last 7 days' },
  { value: 'month', label: 'Last 30 days' },
  { value: 'last-month', label: 'Last month' },
  { value: 'year', label: 'Last 12 months' },
  { value: 'custom', label: 'Custom dates' },
] as const

/** The step with which a period is easy to read. */
export const usualStep = {
  yesterday: 'day',
  week: 'day',
  month: 'day',
  'last-month': 'day',
  year: 'month',
  custom: 'day',
} as const

const dateOf = (date: Date) => date.toLocaleDateString('sv')
const daysBefore = (now: Date, days: number) => new Date(now.getFullYear(), now.getMonth(), now.getDate() - days)

function datesOf({ period, from, to }: ReportFields, now: Date): { from: string; to: string } {
  const [year, month] = [now.getFullYear(), now.getMonth()]
  switch (period) {
    case 'yesterday':
      return { from: dateOf(daysBefore(now, 1)), to: dateOf(daysBefore(now, 1)) }
    case 'week':
      return { from: dateOf(daysBefore(now, 6)), to: dateOf(now) }
    case 'month':
      return { from: dateOf(daysBefore(now, 29)), to: dateOf(now) }
    case 'last-month':
      return { from: dateOf(new Date(year, month - 1, 1)), to: dateOf(new Date(year, month, 0)) }
    case 'year':
      return { from: dateOf(new Date(year, month - 11, 1)), to: dateOf(now) }
    case 'custom':
      return { from, to }
  }
}

/** The question to the gateway. @param now decides which days the last ones are */
export function queryOf(fields: ReportFields, now: Date): InputOf<Routes['getReport']>['query'] {
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone
  return {
    ...datesOf(fields, now),
    step: fields.step,
    ...(fields.zone === 'viewer' && { time_zone: zone }),
    ...(fields.tests && { tests: 'true' as const }),
  }
}
