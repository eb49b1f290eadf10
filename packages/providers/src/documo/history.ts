import { setTimeout as sleep } from 'node:timers/promises'
import { type Host, ProviderProblem, readFields, refusalOf } from '@faxdeck/provider-kit'
import { type Account, ask, name } from './account.ts'
import { type FaxObject, readFax, wordsOf } from './fax.ts'

/** Documo allows eight calls a minute; two are left to others who use the account. */
const callsAMinute = 6
const minute = 60_000
const callTimeoutMs = 30_000
/** Nobody pages by fewer: a shorter list of which no total is said is all there is. */
const shortestPage = 10
const maxSeen = 20_000

/** A page of the history; `total` counts all pages, where Documo says so. */
interface Page {
  faxes: FaxObject[]
  rows: number
  total: number | undefined
}

const isList = (value: unknown): value is unknown[] => Array.isArray(value)

/** The first list of faxes in an answer: what it is called is not documented. */
function pageIn(body: unknown): Page | undefined {
  const fields = readFields(body)
  const list = isList(body) ? body : fields?.values().find(isList)
  if (!list) return undefined
  const counts = ['count', 'total', 'totalCount'].map((name) => fields?.value(name))
  const total = counts.find((count) => typeof count === 'number')
  return { faxes: list.map(readFax).filter((fax) => fax !== undefined), rows: list.length, total }
}

/** Whether a page goes from new to old and beyond an instant, so that the pages after it hold nothing newer. */
function goesPast({ faxes }: Page, since: number): boolean {
  const times = faxes.map(({ createdAt }) => createdAt?.getTime() ?? Number.NaN)
  const isFalling = times.every((time, index) => index === 0 || time <= (times[index - 1] ?? 0))
  return isFalling && times.length > 1 && (times.at(-1) ?? Infinity) < since
}

/** How the pages after the first are asked for is not documented: by place, else by number. */
const ways: readonly ((seen: number, page: number) => Record<string, string>)[] = [
  (seen) => ({ offset: String(seen) }),
  (_seen, page) => ({ page: String(page) }),
]

/**
 * The history of an account, read at the pace that Documo allows, for everybody who asks at the same time. Reading goes
 * on when the caller has lost patience: the next one finds what was read meanwhile.
 */
export class History {
  readonly #account: Account
  readonly #host: Host
  readonly #closing = new AbortController()
  readonly #seen = new Map<string, FaxObject>()
  #calls: number[] = []
  #reading: { since: number; faxes: Promise<FaxObject[]> } | undefined
  #last: { since: number; faxes: FaxObject[]; at: number } | undefined

  constructor(account: Account, host: Host) {
    this.#account = account
    this.#host = host
  }

  /** A fax that any reading has shown, also one that is not at its end. */
  recall(matches: (fax: FaxObject) => boolean): FaxObject | undefined {
    return [...this.#seen.values()].find(matches)
  }

  /**
   * Every fax since an instant.
   * @param maxAgeMs how long ago the reading may have ended: where only the next look would miss what came since
   * @throws {ProviderProblem} when the history cannot be had; what the signal says when it aborts
   */
  async since(instant: Date, signal: AbortSignal, maxAgeMs = 0): Promise<FaxObject[]> {
    const since = instant.getTime()
    const last = this.#last
    if (last && last.since <= since && performance.now() - last.at < maxAgeMs) return last.faxes
    const present = this.#reading
    const reading = present && present.since <= since ? present : this.#begin(since, present?.faxes)
    const late = Promise.withResolvers<never>()
    const giveUp = () => late.reject(signal.reason as Error)
    if (signal.aborted) giveUp()
    signal.addEventListener('abort', giveUp, { once: true })
    try {
      return await Promise.race([reading.faxes, late.promise])
    } finally {
      signal.removeEventListener('abort', giveUp)
    }
  }

  close(): void {
    this.#closing.abort(new ProviderProblem('unreachable', `The line to ${name} was closed.`))
  }

  #begin(since: number, before: Promise<unknown> | undefined) {
    const faxes = Promise.resolve(before?.catch(() => undefined)).then(() => this.#readAll(since))
    const reading = { since, faxes }
    this.#reading = reading
    const done = () => {
      if (this.#reading === reading) this.#reading = undefined
    }
    faxes.then(done, done)
    return reading
  }

  async #readAll(since: number): Promise<FaxObject[]> {
    const found = new Map<string, FaxObject>()
    const add = ({ faxes }: Page) => {
      const before = found.size
      for (const fax of faxes) found.set(fax.messageId, fax)
      this.#remember(faxes)
      return found.size > before
    }
    let page = await this.#page({})
    add(page)
    const { total } = page
    let [seen, number, way, repeats] = [page.rows, 1, 0, 0]
    const isWhole = () => {
      const isAll = total === undefined ? found.size < shortestPage : seen >= total
      return page.rows === 0 || isAll || goesPast(page, since)
    }
    while (!isWhole()) {
      page = await this.#page(ways[way]?.(seen, number) ?? {})
      if (add(page)) {
        seen = way === 0 ? seen + page.rows : found.size
        number += 1
        repeats = 0
      } else if (page.rows > 0) {
        // The same page again: it was not asked for in the right way, or pages are counted from 1.
        repeats += 1
        if (way === 0) way = 1
        else number += 1
        if (repeats > 2) break
      }
    }
    const faxes = [...found.values()]
    this.#last = { since, faxes, at: performance.now() }
    return faxes
  }

  /** One page, as soon as it may be asked for. Asked too soon, it is asked for again when Documo says. */
  async #page(query: Record<string, string>): Promise<Page> {
    const { history } = this.#account.paths
    const search = new URLSearchParams(query).toString()
    const path = search === '' ? history : `${history}${history.includes('?') ? '&' : '?'}${search}`
    for (;;) {
      await this.#turn()
      const signal = AbortSignal.any([this.#closing.signal, AbortSignal.timeout(callTimeoutMs)])
      const answer = await ask(this.#account, path, this.#host, signal)
      const page = answer.status === 200 ? pageIn(answer.body) : undefined
      if (page) return page
      if (answer.status !== 429) throw refusalOf(name, answer, wordsOf(answer.body))
      await this.#pause((answer.retryAfterSeconds ?? 60) * 1000)
    }
  }

  async #turn(): Promise<void> {
    for (;;) {
      this.#closing.signal.throwIfAborted()
      const now = performance.now()
      this.#calls = this.#calls.filter((at) => at > now - minute)
      const [oldest] = this.#calls
      if (oldest === undefined || this.#calls.length < callsAMinute) break
      await this.#pause(oldest + minute - now)
    }
    this.#calls.push(performance.now())
  }

  async #pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#closing.signal, ref: false }).catch(() =>
      this.#closing.signal.throwIfAborted(),
    )
  }

  #remember(faxes: readonly FaxObject[]): void {
    for (const fax of faxes) this.#seen.set(fax.messageId, fax)
    for (const id of this.#seen.keys()) {
      if (this.#seen.size <= maxSeen) break
      this.#seen.delete(id)
    }
  }
}
