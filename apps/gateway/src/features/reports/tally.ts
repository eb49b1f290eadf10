import type { ReportFigures } from '@faxdeck/contract'
import { type Cost, decimalOf } from './cost.ts'

/** Above an hour, times are counted by the minute, so that there are few different ones. */
const fineSeconds = 3600

/** Counts times and finds the middle of them, without keeping each. */
class Durations {
  readonly #counts = new Map<number, number>()
  #all = 0

  add(seconds: number): void {
    const whole = Math.max(0, Math.round(seconds))
    const time = whole <= fineSeconds ? whole : Math.round(whole / 60) * 60
    this.#addMany(time, 1)
  }

  addAll(other: Durations): void {
    for (const [time, count] of other.#counts) this.#addMany(time, count)
  }

  #addMany(time: number, count: number): void {
    this.#counts.set(time, (this.#counts.get(time) ?? 0) + count)
    this.#all += count
  }

  /** The shortest time that at least this share of all does not exceed (nearest rank); null without any. */
  percentile(share: number): number | null {
    let left = Math.max(1, Math.ceil(share * this.#all))
    for (const [time, count] of [...this.#counts].toSorted(([a], [b]) => a - b)) {
      left -= count
      if (left <= 0) return time
    }
    return null
  }
}

/** What one sent fax adds to every count that it belongs to. */
export interface SentFax {
  outcome: 'delivered' | 'failed' | 'cancelled' | 'open'
  /** That arrived. */
  pages: number
  /** From submission to delivery; undefined unless it was delivered. */
  seconds: number | undefined
}

/** Counts of sent and received faxes. */
export class Tally {
  readonly #faxes = { delivered: 0, failed: 0, cancelled: 0, open: 0 }
  readonly #durations = new Durations()
  readonly #costs = new Map<string, number>()
  #pages = 0
  #unpriced = 0
  #unknownMinutes = 0
  #received = 0
  #receivedPages = 0

  get sent(): number {
    const { delivered, failed, cancelled, open } = this.#faxes
    return delivered + failed + cancelled + open
  }

  /** Faxes in both directions. */
  get volume(): number {
    return this.sent + this.#received
  }

  addSent({ outcome, pages, seconds }: SentFax): void {
    this.#faxes[outcome]++
    this.#pages += pages
    if (seconds !== undefined) this.#durations.add(seconds)
  }

  /** Adds what another one counted of sent faxes. */
  addAll(other: Tally): void {
    for (const outcome of ['delivered', 'failed', 'cancelled', 'open'] as const) {
      this.#faxes[outcome] += other.#faxes[outcome]
    }
    this.#pages += other.#pages
    this.#durations.addAll(other.#durations)
    for (const [currency, micros] of other.#costs) this.#addMicros(currency, micros)
    this.#unpriced += other.#unpriced
    this.#unknownMinutes += other.#unknownMinutes
  }

  addReceived(pages: number): void {
    this.#received++
    this.#receivedPages += pages
  }

  addCost(cost: Cost): void {
    if (cost === 'unpriced') {
      this.#unpriced++
      return
    }
    if (cost.lacksMinutes) this.#unknownMinutes++
    this.#addMicros(cost.currency, cost.micros)
  }

  #addMicros(currency: string, micros: number): void {
    this.#costs.set(currency, (this.#costs.get(currency) ?? 0) + micros)
  }

  figures(): ReportFigures {
    return {
      sent: this.sent,
      ...this.#faxes,
      pages: this.#pages,
      median_seconds: this.#durations.percentile(0.5),
      p95_seconds: this.#durations.percentile(0.95),
      costs: [...this.#costs]
        .toSorted(([a], [b]) => a.localeCompare(b))
        .map(([currency, micros]) => ({ currency, amount: decimalOf(micros) })),
      unpriced: this.#unpriced,
      unknown_minutes: this.#unknownMinutes,
    }
  }

  bothFigures() {
    return { ...this.figures(), received: this.#received, received_pages: this.#receivedPages }
  }
}
