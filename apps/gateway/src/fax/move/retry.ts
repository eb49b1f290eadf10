import type { FailureKind } from '@faxdeck/provider-kit'
import type { SettingsInForce } from '../../base/settings/settings.ts'

const minute = 60_000
const hour = 60 * minute

export interface Failure {
  kind: FailureKind
  /** How many attempts ended like this one, this one included. */
  times: number
  submittedAt: Date
  /** What the provider asked us to wait. */
  retryAfterSeconds?: number | undefined
  /** Worth one more attempt, whatever its kind. */
  again?: string | undefined
  /** The provider refuses every fax just now. */
  ofEveryFax?: boolean | undefined
  /** The line took the fax, and the carrier behind it refused its account. */
  byCarrier?: boolean | undefined
  /** The line put the fax off for a reason of its own, such as quiet hours. */
  putOff?: boolean | undefined
}

export interface NextTry {
  at: Date
  /** Tries of this kind that are left, the next one included; null when only time limits them. */
  left: number | null
}

function fixed(times: number, minutes: number, failure: Failure, now: Date): NextTry | undefined {
  if (failure.times > times) return undefined
  return { at: new Date(now.getTime() + minutes * minute), left: times - failure.times + 1 }
}

/** Doubling pauses with up to a quarter of jitter, never shorter than the provider asks, for so many hours. */
function backingOff(settings: SettingsInForce, failure: Failure, now: Date, random: () => number): NextTry | undefined {
  const { retry_unreachable_first_seconds: first, retry_unreachable_longest_seconds: longest } = settings
  const seconds = Math.min(longest, first * 2 ** (failure.times - 1)) * (0.75 + random() / 4)
  const at = now.getTime() + Math.max(seconds, failure.retryAfterSeconds ?? 0) * 1000
  const giveUpAt = failure.submittedAt.getTime() + settings.retry_unreachable_hours * hour
  return at > giveUpAt && failure.putOff !== true ? undefined : { at: new Date(at), left: null }
}

/** When a failed fax is tried again: decided by the kind of the failure, or because it is worth it. Undefined: not at all. */
export function nextTry(
  failure: Failure,
  settings: SettingsInForce,
  now: Date,
  random: () => number = Math.random,
): NextTry | undefined {
  if (failure.again !== undefined) {
    return fixed(Math.min(1, settings.retry_line_error_times), settings.retry_line_error_minutes, failure, now)
  }
  switch (failure.kind) {
    case 'busy':
      return fixed(settings.retry_busy_times, settings.retry_busy_minutes, failure, now)
    case 'no_answer':
      return fixed(settings.retry_no_answer_times, settings.retry_no_answer_minutes, failure, now)
    case 'line_error':
      return fixed(settings.retry_line_error_times, settings.retry_line_error_minutes, failure, now)
    case 'unreachable':
    case 'rate_limited':
      return backingOff(settings, failure, now, random)
    case 'bad_credentials':
      // The pause of the provider grows, not that of this fax: whichever comes first finds out for all.
      if (failure.ofEveryFax) return backingOff(settings, { ...failure, times: 1 }, now, random)
      // Each try is a call.
      return failure.byCarrier ? backingOff(settings, failure, now, random) : undefined
    case 'rejected':
    case 'bad_number':
    case 'bad_document':
    case 'partial':
    case 'uncertain':
    case 'cancelled':
      return undefined
    default:
      // A kind of failure that is new is to be decided about here.
      failure.kind satisfies never
  }
}

/** How often a fax of this failure may be attempted in all; null when only time limits it or nothing has failed. */
export function attemptLimit(kind: string | null, attempts: number, times: number, settings: SettingsInForce) {
  const max = {
    busy: settings.retry_busy_times,
    no_answer: settings.retry_no_answer_times,
    line_error: settings.retry_line_error_times,
  }[kind ?? '']
  return max === undefined ? null : attempts + Math.max(0, max - times + 1)
}
