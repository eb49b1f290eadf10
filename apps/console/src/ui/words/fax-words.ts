import type { FailureKind, JobSummary } from '@faxdeck/contract'
import { shortTime } from '../time.tsx'

/** What the words for a fax are chosen by; any shape of a fax has it, or a part of it. */
export interface FaxState {
  status: string
  test?: boolean
  needs_attention?: boolean
  held?: object | null
  next_try_at?: string | null
  waiting_for?: string | null
}

/** What needs a person, of a fax that has ended. */
const endedInDoubt: Readonly<Record<string, string>> = { SUCCESS: 'Needs a look', FAILED: 'Partial' }

/**
 * The state of a fax: one of the wire, or the word for what the wire does not name. Lists, details, chips and filters
 * all take it from here. What needs a person comes before how the fax ended, and only what moves is in progress.
 */
export function faxState({
  status,
  needs_attention: needsPerson,
  held,
  next_try_at: next,
  waiting_for: provider,
}: FaxState) {
  if (held) return 'Held'
  if (needsPerson) return endedInDoubt[status] ?? 'Unconfirmed'
  if (next && status === 'in_progress') return 'retry'
  return provider ? 'waiting' : status
}

/** "Retry 13:27", on another day "Retry Nov 28". */
export const retryWords = (at: string): string => `Retry ${shortTime(at).replace(/ \d+:\d+$/, '')}`

/** Short causes, the first row that fits: by the kind of failure and, where the gateway's sentence says more, by that. */
const causes: readonly (readonly [FailureKind, string, RegExp?])[] = [
  ['busy', 'Busy'],
  ['no_answer', 'Unavailable', /unavailable/],
  ['no_answer', 'No answer'],
  ['line_error', 'Voice answered', /\bvoice\b|\b(person|human) answered/i],
  ['line_error', 'No fax machine heard', /no fax machine/],
  ['line_error', 'Cut off before page 1', /cut off|before a page/],
  ['line_error', 'Out of order', /line is out of order/],
  ['line_error', 'Network trouble', /network|line on the way/],
  ['line_error', 'Not put through'],
  ['unreachable', 'Provider unreachable'],
  ['rate_limited', 'Provider limit'],
  ['rejected', 'Pages too fine', /resolution/],
  ['rejected', 'Call rejected', /call was rejected/],
  ['rejected', 'Refused'],
  ['bad_number', 'Number changed', /has changed/],
  ['bad_number', 'Number incomplete', /not complete/],
  ['bad_number', 'Number not allowed', /not permit/],
  ['bad_number', 'Not in service', /no such number|not in service|not assigned/i],
  ['bad_number', 'Wrong number'],
  ['bad_credentials', 'Provider sign-in'],
  ['bad_document', 'Document unreadable'],
  ['partial', 'Cut off'],
  ['uncertain', 'May have arrived'],
  ['cancelled', 'Canceled'],
]

type Failed = Pick<JobSummary, 'status' | 'error' | 'error_kind' | 'held' | 'test' | 'needs_attention' | 'waiting_for'>

/**
 * Why a fax has not arrived, in about two words: "Busy", "Not in service"; '' where nothing went wrong. A sentence
 * without a kind stands as it is.
 */
export function shortCause({
  status,
  error,
  error_kind: kind,
  held,
  test,
  needs_attention: needsPerson,
  waiting_for: provider,
}: Failed): string {
  if (held) return 'May have been sent'
  if (status === 'SUCCESS' && needsPerson)
    return /more than once/.test(error ?? '') ? 'Delivered twice' : 'Check the pages'
  if (status === 'SUCCESS') return test ? 'Nothing was sent' : ''
  if (provider && status === 'queued') return `Waiting for ${provider}`
  const cause = causes.find(([of, , said]) => of === kind && (!said || said.test(error ?? '')))
  return cause?.[1] ?? error ?? (needsPerson ? 'May have arrived' : '')
}
