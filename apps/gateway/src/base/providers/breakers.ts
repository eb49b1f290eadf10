import { ProviderProblem } from '@faxdeck/provider-kit'
import type { SettingsInForce } from '../settings/settings.ts'

/** Why sending to a provider is paused. */
export type PauseReason = 'unreachable' | 'credentials' | 'rate_limited'

export interface Pause {
  reason: PauseReason
  since: Date
  /** When a fax is next handed over; earlier than now while that one is under way. */
  until: Date
  /** The provider's own reason, as a short sentence. */
  why?: string | undefined
}

/** The right to hand one fax to a provider. Exactly one of the verdicts is reported, or none when the provider was not asked. */
export interface Pass {
  /** The provider answered, whatever it said. */
  reached: () => void
  /** It could not be reached, or the connection broke before it had answered. */
  failed: () => void
  /** It rejected our credentials, so it refuses every fax. */
  refused: () => void
  /** It asked us to send less: for so many seconds, when it named a time, and why, when it is not for their number. */
  askedToWait: (seconds: number | undefined, why?: string) => void
  /** The provider was not asked after all. Harmless after a verdict. */
  giveBack: () => void
}

interface Breaker {
  /** In a row. */
  failures: number
  /** How often it opened without closing in between. */
  opened: number
  reason: PauseReason
  why?: string | undefined
  /** Set while it is open or half-open: when the pause ends, by `elapsed`, and when sending was first paused. */
  until: number | null
  since: Date | null
  /** The one fax that a half-open breaker lets through is under way. */
  probing: boolean
}

interface Parts {
  settings: () => Pick<SettingsInForce, 'pause_after_failures' | 'pause_first_seconds'>
  now: () => Date
  /** Milliseconds that pass whatever becomes of the clock: a pause lasts no longer because the clock was set back. */
  elapsed?: () => number
}

const longestPauseMs = 10 * 60_000
/** A provider that asks for more than this is asked again earlier. */
const longestAskedSeconds = 3600

/**
 * Pauses sending to a provider that would take no fax: after so many failures in a row to reach it, as soon as it
 * refuses our credentials, and for as long as it asks. Nothing new is begun then. When the pause is over one fax goes
 * through, and its outcome ends the pause or begins a longer one. Each process keeps its own view: see
 * docs/decisions.
 */
export class Breakers {
  readonly #parts: Parts
  readonly #elapsed: () => number
  readonly #breakers = new Map<string, Breaker>()
  readonly #quietUntil = new Map<string, number>()

  constructor(parts: Parts) {
    this.#parts = parts
    this.#elapsed = parts.elapsed ?? (() => performance.now())
  }

  /** A pass to hand over one fax; undefined while sending to the provider is paused. */
  take(id: string): Pass | undefined {
    const breaker = this.#of(id)
    if (this.#isPaused(breaker)) return undefined
    const isProbe = breaker.until !== null
    if (isProbe) breaker.probing = true
    let reported = false
    const once =
      <T extends unknown[]>(report: (...facts: T) => void) =>
      (...facts: T) => {
        if (reported) return
        reported = true
        if (isProbe) breaker.probing = false
        report(...facts)
      }
    return {
      reached: once(() => this.#close(id, isProbe)),
      failed: once(() => this.#fail(breaker, isProbe)),
      refused: once(() => this.#refuse(breaker, isProbe)),
      askedToWait: once((seconds, why) => this.#wait(breaker, seconds, why)),
      giveBack: once(() => undefined),
    }
  }

  /** A fax that it had taken showed that our credentials are refused, for every fax. */
  refuse(id: string): void {
    this.#refuse(this.#of(id), false)
  }

  /** When sending to the provider may go on; undefined when nothing is in the way. */
  pausedUntil(id: string): Date | undefined {
    const breaker = this.#breakers.get(id)
    if (!breaker || !this.#isPaused(breaker)) return undefined
    return this.#dateOf(Math.max(breaker.until ?? 0, this.#elapsed() + 1000))
  }

  /** Why, since and until when nothing new is begun; undefined when nothing is in the way, as far as is known. */
  pauseOf(id: string): Pause | undefined {
    const { reason, why, since = null, until = null } = this.#breakers.get(id) ?? {}
    if (reason === undefined || since === null || until === null) return undefined
    // Nobody waits any more for a time that has passed.
    if (reason === 'rate_limited' && until <= this.#elapsed()) return undefined
    return { reason, why, since, until: this.#dateOf(until) }
  }

  /** Since when the provider takes no fax; undefined when it does, as far as is known. */
  downSince(id: string): Date | undefined {
    const pause = this.pauseOf(id)
    return pause?.reason === 'rate_limited' ? undefined : pause?.since
  }

  /** A question to a provider failed: heeds the time that it may have named, before which it wants no other. */
  heed(id: string, error: unknown): void {
    if (!(error instanceof ProviderProblem) || error.kind !== 'rate_limited' || !error.retryAfterSeconds) return
    const until = this.#elapsed() + Math.min(error.retryAfterSeconds, longestAskedSeconds) * 1000
    this.#quietUntil.set(id, Math.max(until, this.#quietUntil.get(id) ?? 0))
  }

  /** Until when a provider is not asked about faxes, because it named that time to a question or to a fax. */
  quietUntil(id: string): Date | undefined {
    const { reason, until: paused } = this.#breakers.get(id) ?? {}
    const until = Math.max(reason === 'rate_limited' ? (paused ?? 0) : 0, this.#quietUntil.get(id) ?? 0)
    return until > this.#elapsed() ? this.#dateOf(until) : undefined
  }

  /** Forgets what was seen of a provider, whose settings are others now. */
  forget(id: string): void {
    this.#quietUntil.delete(id)
    this.#breakers.delete(id)
  }

  /** How many faxes may be begun now: none, the one that probes, or any number. */
  toBegin(id: string): number {
    const breaker = this.#breakers.get(id)
    if (!breaker || breaker.until === null) return Infinity
    return this.#isPaused(breaker) ? 0 : 1
  }

  #of(id: string): Breaker {
    const present = this.#breakers.get(id)
    if (present) return present
    const fresh: Breaker = { failures: 0, opened: 0, until: null, since: null, probing: false, reason: 'unreachable' }
    this.#breakers.set(id, fresh)
    return fresh
  }

  /** An instant by `elapsed`, as the clock says it now. */
  #dateOf(instant: number): Date {
    return new Date(Math.round(this.#parts.now().getTime() + instant - this.#elapsed()))
  }

  #isPaused({ until, probing }: Breaker): boolean {
    return until !== null && (probing || until > this.#elapsed())
  }

  #fail(breaker: Breaker, isProbe: boolean): void {
    const { pause_after_failures: after } = this.#parts.settings()
    breaker.failures++
    // Faxes that were under way when it opened report nothing new.
    if (after === 0 || breaker.failures < after || (breaker.until !== null && !isProbe)) return
    this.#open(breaker, 'unreachable', this.#nextPauseMs(breaker))
  }

  #refuse(breaker: Breaker, isProbe: boolean): void {
    if (breaker.until !== null && !isProbe) return
    this.#open(breaker, 'credentials', this.#nextPauseMs(breaker))
  }

  #wait(breaker: Breaker, asked: number | undefined, why: string | undefined): void {
    const seconds = asked === undefined ? undefined : Math.min(asked, longestAskedSeconds)
    const now = this.#elapsed()
    const isWaiting = breaker.until !== null && breaker.until > now
    // Faxes that were under way when it opened report nothing new, unless they name a later time.
    if (isWaiting && (seconds === undefined || now + seconds * 1000 <= (breaker.until ?? 0))) return
    if (isWaiting && breaker.reason !== 'rate_limited') return
    this.#open(breaker, 'rate_limited', seconds === undefined ? this.#nextPauseMs(breaker) : seconds * 1000, why)
  }

  #nextPauseMs({ opened }: Breaker): number {
    return Math.min(longestPauseMs, this.#parts.settings().pause_first_seconds * 1000 * 2 ** opened)
  }

  #open(breaker: Breaker, reason: PauseReason, ms: number, why?: string): void {
    const now = this.#parts.now()
    breaker.since = breaker.reason === reason ? (breaker.since ?? now) : now
    breaker.reason = reason
    breaker.why = why
    breaker.until = this.#elapsed() + ms
    breaker.opened++
  }

  #close(id: string, isProbe: boolean): void {
    const pause = this.pauseOf(id)
    // The provider named this time itself: what it took beforehand does not end it.
    if (pause?.reason === 'rate_limited' && !isProbe) return
    this.#breakers.delete(id)
  }
}
