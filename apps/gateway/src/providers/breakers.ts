import type { SettingsInForce } from '../settings/settings.ts'

/** The right to hand one fax to a provider. Exactly one of the verdicts is told, or none when the provider was not asked. */
export interface Pass {
  /** The provider answered, whatever it said. */
  reached: () => void
  /** It could not be reached, or broke off before it had answered. */
  failed: () => void
  /** The provider was not asked after all. Harmless after a verdict. */
  giveBack: () => void
}

interface Breaker {
  /** In a row. */
  failures: number
  /** How often it opened without closing in between. */
  opened: number
  /** Set while it is open or half-open: when the pause ends, and when sending was first paused. */
  until: number | null
  since: number | null
  /** The one fax that a half-open breaker lets through is under way. */
  probing: boolean
}

interface Parts {
  settings: () => Pick<SettingsInForce, 'pause_after_failures' | 'pause_first_seconds'>
  now: () => Date
}

const longestPauseMs = 10 * 60_000

/**
 * Pauses sending to a provider that cannot be reached: after so many failures in a row nothing new is begun; when the
 * pause is over one fax goes through, and what becomes of it ends the pause or begins a longer one. Each process
 * keeps its own view: see docs/decisions.
 */
export class Breakers {
  readonly #parts: Parts
  readonly #breakers = new Map<string, Breaker>()

  constructor(parts: Parts) {
    this.#parts = parts
  }

  /** A pass to hand over one fax; undefined while sending to the provider is paused. */
  take(id: string): Pass | undefined {
    const breaker = this.#of(id)
    if (this.#isPaused(breaker)) return undefined
    const isProbe = breaker.until !== null
    if (isProbe) breaker.probing = true
    let told = false
    const once = (tell: () => void) => () => {
      if (told) return
      told = true
      if (isProbe) breaker.probing = false
      tell()
    }
    return {
      reached: once(() => this.#breakers.delete(id)),
      failed: once(() => this.#fail(breaker, isProbe)),
      giveBack: once(() => undefined),
    }
  }

  /** When sending to the provider may go on; undefined when nothing is in the way. */
  pausedUntil(id: string): Date | undefined {
    const breaker = this.#breakers.get(id)
    if (!breaker || !this.#isPaused(breaker)) return undefined
    return new Date(Math.max(breaker.until ?? 0, this.#parts.now().getTime() + 1000))
  }

  /** Since when the provider cannot be reached; undefined when it can, as far as is known. */
  downSince(id: string): Date | undefined {
    const since = this.#breakers.get(id)?.since ?? null
    return since === null ? undefined : new Date(since)
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
    const fresh: Breaker = { failures: 0, opened: 0, until: null, since: null, probing: false }
    this.#breakers.set(id, fresh)
    return fresh
  }

  #isPaused({ until, probing }: Breaker): boolean {
    return until !== null && (probing || this.#parts.now().getTime() < until)
  }

  #fail(breaker: Breaker, isProbe: boolean): void {
    const { pause_after_failures: after, pause_first_seconds: seconds } = this.#parts.settings()
    breaker.failures++
    // Faxes that were under way when it opened tell nothing new.
    if (after === 0 || breaker.failures < after || (breaker.until !== null && !isProbe)) return
    const now = this.#parts.now().getTime()
    breaker.until = now + Math.min(longestPauseMs, seconds * 1000 * 2 ** breaker.opened)
    breaker.since ??= now
    breaker.opened++
  }
}
