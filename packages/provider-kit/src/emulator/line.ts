import { type CallPlan, type Ending, planCall } from './destinations.ts'

/** A fax at the provider. */
export interface EmulatedFax {
  id: string
  direction: 'sent' | 'received'
  from: string | null
  to: string
  pages: number
  pdf: Uint8Array
  state: 'queued' | 'in_progress' | 'unknown_word' | 'ended'
  /** With the state `ended`; null before. */
  ending: Ending | 'cancelled' | 'received' | null
  /** Pages the far end has confirmed. */
  pagesConfirmed: number
  takenAt: Date
  endedAt: Date | null
  callbackUrl: string | null
  /** What the sender attached: tags, labels. */
  labels: Readonly<Record<string, string>>
}

type Given = Pick<EmulatedFax, 'id' | 'from' | 'to' | 'pages' | 'pdf' | 'callbackUrl' | 'labels'>

interface LineOptions {
  /** Time between two states. */
  stepMs?: number | undefined
  /** Called at each change of a sent fax, unless its number wants no callbacks. */
  tell: (fax: EmulatedFax) => void
}

/** The far end of a provider: takes faxes and lets them end as their number says. */
export class EmulatedLine {
  readonly faxes: EmulatedFax[] = []
  readonly #byId = new Map<string, EmulatedFax>()
  readonly #tries = new Map<string, number>()
  readonly #timers = new Set<NodeJS.Timeout>()
  readonly #stepMs: number
  readonly #tell: LineOptions['tell']

  constructor({ stepMs = 5, tell }: LineOptions) {
    this.#stepMs = stepMs
    this.#tell = tell
  }

  /** What is to happen to a fax to this number. Counts as a try: ask once per request. */
  plan(to: string): CallPlan {
    const before = this.#tries.get(to) ?? 0
    this.#tries.set(to, before + 1)
    return planCall(to, before)
  }

  find(id: string): EmulatedFax | undefined {
    return this.#byId.get(id)
  }

  /** Takes a fax; it begins to move by itself. With the plan `early` it ends, and is told, at once. */
  take(given: Given, plan: CallPlan): EmulatedFax {
    const fax = this.#keep({ ...given, direction: 'sent', state: 'queued', ending: null, pagesConfirmed: 0 })
    if (plan.callbacks === 'early') this.#end(fax, plan)
    else this.#later(plan.length, () => this.#move(fax, plan))
    return fax
  }

  /** A fax from outside, complete. */
  receive(given: Given): EmulatedFax {
    const { pages } = given
    return this.#keep({ ...given, direction: 'received', state: 'ended', ending: 'received', pagesConfirmed: pages })
  }

  /** Stops a fax that has not begun; false when it has. */
  cancel(id: string): boolean {
    const fax = this.#byId.get(id)
    if (fax?.state !== 'queued') return false
    Object.assign(fax, { state: 'ended', ending: 'cancelled', endedAt: new Date() })
    this.#tell(fax)
    return true
  }

  close(): void {
    for (const timer of this.#timers) clearTimeout(timer)
  }

  #keep(fax: Omit<EmulatedFax, 'takenAt' | 'endedAt'>): EmulatedFax {
    const kept = { ...fax, takenAt: new Date(), endedAt: fax.state === 'ended' ? new Date() : null }
    this.faxes.push(kept)
    this.#byId.set(kept.id, kept)
    return kept
  }

  #move(fax: EmulatedFax, plan: CallPlan): void {
    if (fax.state === 'ended') return
    fax.state = plan.ending === 'unknown_word' ? 'unknown_word' : 'in_progress'
    if (plan.callbacks === 'ordinary') this.#tell({ ...fax })
    this.#later(plan.length, () => this.#end(fax, plan))
  }

  #end(fax: EmulatedFax, plan: CallPlan): void {
    const before = { ...fax, state: 'in_progress' } as const
    const { ending } = plan
    const delivered = ending === 'delivered' || ending === 'unknown_word'
    fax.state = 'ended'
    fax.ending = ending
    fax.endedAt = new Date()
    fax.pagesConfirmed = delivered ? fax.pages : ending === 'partial' ? 1 : 0
    if (plan.callbacks === 'none') return
    this.#tell({ ...fax })
    if (plan.callbacks !== 'muddled') return
    this.#tell({ ...fax })
    this.#later(1, () => this.#tell(before))
  }

  #later(steps: number, act: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      act()
    }, steps * this.#stepMs)
    this.#timers.add(timer)
  }
}
