import { z } from 'zod'
import { del, get, put } from '../route.ts'
import { byId, instant } from '../shapes.ts'

const text = z.string()
const count = z.number().int().min(0)
const seconds = count.nullable()

/** A date of this age: calendars of others are reckoned otherwise. */
const reportDay = z.iso
  .date()
  .refine((date) => date >= '1990-01-01' && date <= '2199-12-31', 'Choose a day between 1990 and 2199.')

/** A sum of money: a decimal number as text, which is exact, and the currency's code (ISO 4217). */
const money = z.object({ currency: text, amount: text })

/** What is counted of sent faxes, each on the day it was submitted. Those of the test line are among them only where `tests` is true. */
const figures = z.object({
  sent: count,
  delivered: count,
  failed: count,
  cancelled: count,
  /** Still under way, or without a known outcome. */
  open: count,
  /** Pages of delivered faxes. */
  pages: count,
  /** Time from submission to delivery, in seconds (to the minute above an hour); null when nothing was delivered. */
  median_seconds: seconds,
  p95_seconds: seconds,
  costs: z.array(money),
  /** Attempts whose provider has no price for that day: they are in no cost. */
  unpriced: count,
  /** Attempts with a price per minute whose length is not known: their minutes are in no cost. */
  unknown_minutes: count,
})
export type ReportFigures = z.infer<typeof figures>

/** Received faxes, each on the day it arrived, those of the test line as above. */
const receivedFigures = z.object({ received: count, received_pages: count })

const destination = figures.extend({
  /** `+1 212` or `+49 30`: the country code and the first digits after it; null for what is left over. */
  prefix: text.nullable(),
})
const number = z.object({
  /** Masked to the last four characters; null for what is left over. */
  number: text.nullable(),
  sent: count,
  delivered: count,
  failed: count,
})
const sender = figures.extend({ key_id: text, name: text.nullable() })
const group = figures.extend(receivedFigures.shape).extend({ group_id: text.nullable(), name: text.nullable() })
const provider = figures.extend(receivedFigures.shape).extend({ backend: text })
const cause = z.object({
  /** Of the last attempt; null where none was given. */
  kind: text.nullable(),
  failed: count,
})

export const reportSteps = ['day', 'week', 'month'] as const
export const reportSections = ['steps', 'destinations', 'numbers', 'causes', 'senders', 'groups', 'providers'] as const
export type ReportSection = (typeof reportSections)[number]

const period = z.object({
  /** The first day. */
  from: reportDay,
  /** The last day, included. */
  to: reportDay,
  step: z.enum(reportSteps).default('day'),
  /** IANA name (`Europe/Berlin`); that of the gateway when absent. */
  time_zone: z.string().max(64).optional(),
  /** Whether faxes of the test line and of accounts in test mode are counted too, as if they had been sent. */
  tests: z.enum(['true', 'false']).default('false'),
})

export const report = z.object({
  from: z.iso.date(),
  to: z.iso.date(),
  time_zone: text,
  step: z.enum(reportSteps),
  tests: z.boolean(),
  totals: figures.extend(receivedFigures.shape),
  /** One for each day, week (from Monday) or month, the first and last as far as they lie in the period. */
  steps: z.array(figures.extend(receivedFigures.shape).extend({ begins: z.iso.date() })),
  destinations: z.array(destination),
  numbers: z.array(number),
  causes: z.array(cause),
  senders: z.array(sender),
  groups: z.array(group),
  providers: z.array(provider),
})
export type Report = z.infer<typeof report>

const amount = z
  .string()
  .regex(/^\d{1,6}(\.\d{1,6})?$/, 'Enter an amount like 0.07, with at most 6 digits after the point.')
  .nullable()

const priceTerms = z.object({
  backend: z.string().min(1).max(64),
  direction: z.enum(['sent', 'received']),
  /** The first day it holds for, until the next price of the provider; in the time zone of the gateway. */
  valid_from: reportDay,
  currency: z.string().regex(/^[A-Z]{3}$/, 'Enter a currency code of three capital letters, like EUR or USD.'),
  /** For each page that was delivered or received. */
  per_page: amount,
  /** For each minute from answer to end, by the second. */
  per_minute: amount,
  /** For each call or accepted attempt. */
  per_call: amount,
})
export const price = priceTerms.extend({ id: text, saved_at: instant })
export type Price = z.infer<typeof price>

export const reportRoutes = {
  getReport: get('/admin/reports', 'read_reports', {
    summary: 'Volume, success, time to delivery, pages and cost of a period. Numbers are masked.',
    failure: 'Failed to fetch the report',
    query: period,
    reply: report,
  }),
  exportReport: get('/admin/reports/csv', 'read_reports', {
    summary: 'One table of a report as CSV.',
    failure: 'Failed to export the report',
    shortError: 'Download failed',
    query: period.extend({ section: z.enum(reportSections) }),
    reply: 'csv',
  }),
  listPrices: get('/admin/reports/prices', 'read_reports', {
    summary: 'What providers charge, by the day from which each price applies.',
    failure: 'Failed to fetch the prices',
    reply: z.array(price),
  }),
  savePrice: put('/admin/reports/prices', 'manage_settings', {
    summary: 'Set what a provider charges from a day on. Replaces the price of the same day and direction.',
    failure: 'Failed to save the price',
    audits: ['price_saved'],
    body: priceTerms.refine(
      ({ per_page, per_minute, per_call }) => [per_page, per_minute, per_call].some((each) => each !== null),
      'Enter a price per page, per minute or per call.',
    ),
    reply: price,
  }),
  removePrice: del('/admin/reports/prices/:id', 'manage_settings', {
    summary:
      'Remove a price. Costs of its days are then calculated with the previous price. Succeeds even if the price no longer exists.',
    failure: 'Failed to remove the price',
    audits: ['price_removed'],
    params: byId,
    reply: 'none',
  }),
}
