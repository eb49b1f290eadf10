import type { Events } from './events.ts'

/** `unproved`: nothing showed that it came from the provider. */
export type CallbackResult = 'recorded' | 'refused' | 'failed' | 'unproved'

/** What is counted as it happens. Starts at zero with the process, as Prometheus expects of counters. */
export interface Counts {
  /** Audit events by name. */
  readonly events: ReadonlyMap<string, number>
  /** Failed attempts by kind. */
  readonly attempts: ReadonlyMap<string, number>
  /** Word from providers, by `provider result`. */
  readonly callbacks: ReadonlyMap<string, number>
  /** Documents converted, by step, and the seconds it took. */
  readonly conversions: ReadonlyMap<string, { count: number; seconds: number }>
}

/** The counters of this process. */
export class Counters implements Counts {
  readonly events = new Map<string, number>()
  readonly attempts = new Map<string, number>()
  readonly callbacks = new Map<string, number>()
  readonly conversions = new Map<string, { count: number; seconds: number }>()

  constructor(events: Pick<Events, 'onRecorded'>) {
    events.onRecorded(({ event, kind }) => {
      countUp(this.events, event)
      if (typeof kind === 'string') countUp(this.attempts, kind)
    })
  }

  countCallback(provider: string, result: CallbackResult): void {
    countUp(this.callbacks, `${provider} ${result}`)
  }

  countConversion(step: string, seconds: number): void {
    const before = this.conversions.get(step) ?? { count: 0, seconds: 0 }
    this.conversions.set(step, { count: before.count + 1, seconds: before.seconds + seconds })
  }
}

function countUp(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}
