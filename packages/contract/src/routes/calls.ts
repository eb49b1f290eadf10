import { z } from 'zod'
import { del, get } from '../route.ts'
import { faxId, instant } from '../shapes.ts'

const text = z.string()
const count = z.number().int()

/** How a call is asked for, where that is not as the settings have it. */
const callOptions = z.object({
  transport: z.enum(['audio', 't38']).optional(),
  /** The highest speed, in bits per second. */
  speed: count.optional(),
  ecm: z.boolean().optional(),
  /** Sound is heard through a jitter buffer. */
  buffered: z.literal(true).optional(),
})

/** How the last calls with one number went. */
const numberCalls = z.object({
  /** Masked to the last four characters. */
  number: text,
  direction: z.enum(['sent', 'received']),
  calls: count,
  /** Calls that ended with the whole fax. */
  complete: count,
  /** Calls that a machine took and that broke off. */
  broke_off: count,
  /** Busy, no answer, no such number, no way through, or nobody there but a person. */
  not_reached: count,
  /** Calls that went on at a lower speed than they began with. */
  slowed: count,
  /** The lowest speed that a call ended with, in bits per second; null when none is known. */
  slowest: count.nullable(),
  last_at: instant,
  /** What is wrong with it, as one sentence; null when nothing is. */
  trouble: text.nullable(),
})

/** A call that is up. */
const channel = z.object({
  backend: text,
  direction: z.enum(['sent', 'received']),
  /** The job of a fax that is sent; null for one that is received. */
  job_id: faxId.nullable(),
  /** The other side, masked to the last four characters; null when it is not known. */
  number: text.nullable(),
  /**
   * How far it has come: `page` while pages are sent or received, `unknown` for a call that another process began, which
   * may have sent pages.
   */
  phase: z.enum(['dialing', 'negotiating', 'page', 'unknown']),
  /** The page under way, counted from 1; null before the first one. */
  page: count.nullable(),
  pages: count.nullable(),
  /** Bits per second; null before the machines agreed on it. */
  speed: count.nullable(),
  /** When the call began. */
  since: instant,
  /** When it came to its present phase or page. */
  phase_since: instant,
})

/** How busy the lines of a provider were. */
const lineUse = z.object({
  backend: text,
  /** Calls of the last four weeks. */
  calls: count,
  /** Most calls at once. */
  peak: count,
  peak_at: instant.nullable(),
  /** Most that may be made at once now; received calls come on top. */
  allowed: count,
  /** Hours with calls, oldest first. */
  hours: z.array(z.object({ hour: instant, calls: count, busy_seconds: count, peak: count })),
  /** Lines with which one call in a hundred finds none free (Erlang B); null while there is too little traffic to say. */
  enough: count.nullable(),
  /** What that is reckoned from, or why it is not. */
  basis: text,
})

export const callRoutes = {
  getCallReport: get('/admin/calls', 'see_calls', {
    summary: 'Outcomes of the last 1,000 telephone calls by number, worst first.',
    failure: 'Failed to fetch the call report',
    reply: z.object({
      calls: count,
      /** When the oldest of them ended. */
      since: instant.nullable(),
      complete: count,
      broke_off: count,
      not_reached: count,
      slowed: count,
      over_t38: count,
      over_audio: count,
      numbers: z.array(numberCalls),
    }),
  }),
  getLines: get('/admin/calls/lines', 'see_calls', {
    summary: 'Calls in progress, and how busy the lines were in the last four weeks.',
    failure: 'Failed to fetch the lines',
    reply: z.object({ channels: z.array(channel), use: z.array(lineUse) }),
  }),
  listCallNumbers: get('/admin/calls/numbers', 'see_calls', {
    summary: 'The settings that worked with each number, tried first for 30 days. Up to 500, newest first.',
    failure: 'Failed to fetch the remembered numbers',
    reply: z.array(
      z.object({
        id: faxId,
        /** Masked to the last four characters. */
        number: text,
        backend: text,
        options: callOptions,
        learned_at: instant,
        expires_at: instant,
      }),
    ),
  }),
  forgetCallNumber: del('/admin/calls/numbers/:id', 'see_calls', {
    audits: ['numbers_forgotten'],
    summary: 'Forget what worked with a number. Succeeds even if nothing is remembered.',
    failure: 'Failed to forget the number',
    params: z.object({ id: faxId }),
    reply: 'none',
  }),
  forgetCallNumbers: del('/admin/calls/numbers', 'see_calls', {
    audits: ['numbers_forgotten'],
    summary: 'Forget what worked with every number.',
    failure: 'Failed to forget the numbers',
    reply: 'none',
  }),
}
export type CallReport = z.infer<typeof callRoutes.getCallReport.reply>
export type Lines = z.infer<typeof callRoutes.getLines.reply>
export type RememberedNumber = z.infer<typeof callRoutes.listCallNumbers.reply>[number]
