import { type CallPlan, type Ending, planCall } from './destinations.ts'
import { countPdfPages, fetchLinkedPdf } from './fetch-document.ts'

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

/** A fax as it was handed over: with its document, or a link to it that is followed before the call. */
type Handed = Omit<Given, 'pages' | 'pdf'> & { document: Uint8Array | { link: string } }

interface LineOptions {
  /** Time between two states. */
  stepMs?: number | undefined
  now?: (() => Date) | undefined
  listsAfterMs?: number | undefined
  /** Called at each change of a sent fax, unless its number wants no callbacks. */
  report: (fax: EmulatedFax) => void
}

function setDocument(fax: EmulatedFax, pdf: Uint8Array): void {
  fax.pdf = pdf
  fax.pages = countPdfPages(pdf)
}

/** Time enough for the gateway to have believed the first report. */
const stepsToCorrection = 40

/** The far end of a provider: takes faxes and lets them end as their number says. */
export class EmulatedLine {
  readonly faxes: EmulatedFax[] = []
  readonly #byId = new Map<string, EmulatedFax>()
  readonly #tries = new Map<string, number>()
  readonly #timers = new Set<NodeJS.Timeout>()
  readonly #stepMs: number
  readonly #report: LineOptions['report']
  readonly #now: () => Date
  readonly #listsAfterMs: number
  #closed = false

  constructor({ stepMs = 5, now = () => new Date(), listsAfterMs = 0, report }: LineOptions) {
    this.#stepMs = stepMs
    this.#now = now
    this.#listsAfterMs = listsAfterMs
    this.#report = report
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

  /** The faxes that its lists show by now. */
  listed(): EmulatedFax[] {
    const latest = this.#now().getTime() - this.#listsAfterMs
    return this.faxes.filter(({ takenAt }) => takenAt.getTime() <= latest)
  }

  /** Takes a fax; it begins to move by itself. With the plan `early` it ends, and is reported, at once. */
  take({ document, ...given }: Handed, plan: CallPlan): EmulatedFax {
    const sent = { direction: 'sent', state: 'queued', ending: null, pagesConfirmed: 0 } as const
    const fax = this.#keep({ ...given, ...sent, pages: 0, pdf: new Uint8Array() })
    if (document instanceof Uint8Array) setDocument(fax, document)
    if (plan.callbacks === 'early') this.#end(fax, plan)
    else this.#later(plan.length, () => void this.#begin(fax, plan, document))
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
    Object.assign(fax, { state: 'ended', ending: 'cancelled', endedAt: this.#now() })
    this.#report(fax)
    return true
  }

  close(): void {
    this.#closed = true
    for (const timer of this.#timers) clearTimeout(timer)
  }

  #keep(fax: Omit<EmulatedFax, 'takenAt' | 'endedAt'>): EmulatedFax {
    const kept = { ...fax, takenAt: this.#now(), endedAt: fax.state === 'ended' ? this.#now() : null }
    this.faxes.push(kept)
    this.#byId.set(kept.id, kept)
    return kept
  }

  async #begin(fax: EmulatedFax, plan: CallPlan, document: Handed['document']): Promise<void> {
    if (document instanceof Uint8Array) {
      this.#move(fax, plan)
      return
    }
    const fetched = await fetchLinkedPdf(document.link).catch(() => undefined)
    if (!fetched) {
      this.#end(fax, { ...plan, ending: 'bad_document' })
      return
    }
    setDocument(fax, fetched)
    this.#move(fax, plan)
  }

  #move(fax: EmulatedFax, plan: CallPlan): void {
    if (fax.state === 'ended' || this.#closed) return
    fax.state = plan.ending === 'unknown_word' ? 'unknown_word' : 'in_progress'
    if (plan.callbacks === 'ordinary') this.#report({ ...fax })
    this.#later(plan.length, () => this.#end(fax, plan))
  }

  #end(fax: EmulatedFax, plan: CallPlan): void {
    if (fax.state === 'ended' || this.#closed) return
    if (plan.isCorrected) {
      this.#endTwice(fax)
      return
    }
    const before = { ...fax, state: 'in_progress' } as const
    const { ending } = plan
    const delivered = ending === 'delivered' || ending === 'unknown_word'
    fax.state = 'ended'
    fax.ending = ending
    fax.endedAt = this.#now()
    fax.pagesConfirmed = delivered ? fax.pages : ending === 'partial' ? 1 : 0
    if (plan.callbacks === 'none') return
    this.#report({ ...fax })
    if (plan.callbacks !== 'muddled') return
    this.#report({ ...fax })
    this.#later(1, () => this.#report(before))
  }

  #endTwice(fax: EmulatedFax): void {
    Object.assign(fax, { state: 'ended', ending: 'busy', endedAt: new Date() })
    this.#report({ ...fax })
    this.#later(stepsToCorrection, () => {
      Object.assign(fax, { ending: 'delivered', pagesConfirmed: fax.pages })
      this.#report({ ...fax })
    })
  }

  #later(steps: number, act: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      act()
    }, steps * this.#stepMs)
    this.#timers.add(timer)
  }
}
