import { setTimeout as sleep } from 'node:timers/promises'
import type { InboundFax } from '../../packages/contract/src/index.ts'
import { waitFor } from '../harness/wait.ts'
import { type ManagedLine, ownNumber } from './managed-line.ts'
import { digestOfPng } from './witness.ts'

/** What machines that called say, beside what the inbox has of them. Each list names stations. */
export interface Arrivals {
  calls: number
  confirmed: number
  missing: string[]
  twice: string[]
  otherPixels: string[]
}

const pauseMs = 3000

/** Fax machines that call the customer one after the other, each from a number of its own. */
export class IncomingTraffic {
  readonly #line: ManagedLine
  readonly #paper: { path: string; pages: readonly string[] }
  readonly #stop = new AbortController()
  #calls = 0
  #calling: Promise<void> = Promise.resolve()

  private constructor(line: ManagedLine, paper: { path: string; pages: readonly string[] }) {
    this.#line = line
    this.#paper = paper
  }

  static begin(line: ManagedLine, paper: { path: string; pages: readonly string[] }): IncomingTraffic {
    const traffic = new IncomingTraffic(line, paper)
    traffic.#calling = traffic.#call()
    return traffic
  }

  async #call(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      const station = `+1555999${String(this.#calls++).padStart(4, '0')}`
      await this.#line.carrier.sendFax(ownNumber, this.#paper.path, station)
      await sleep(pauseMs, undefined, { signal: this.#stop.signal }).catch(() => undefined)
    }
  }

  /** No machine calls any more; what those that were told "received" find in the inbox. */
  async end(): Promise<Arrivals> {
    this.#stop.abort()
    await this.#calling
    await this.#line.quiet()
    const confirmed = this.#line.carrier.confirmedStations
    const arrivals: Arrivals = {
      calls: this.#calls,
      confirmed: confirmed.length,
      missing: [],
      twice: [],
      otherPixels: [],
    }
    for (const station of confirmed) {
      const faxes = await this.#receivedFrom(station)
      if (faxes.length > 1) arrivals.twice.push(station)
      const [fax] = faxes
      if (fax?.status !== 'received') arrivals.missing.push(fax ? `${station}: ${fax.status}, ${fax.error}` : station)
      else if (!(await this.#isWhole(fax))) arrivals.otherPixels.push(station)
    }
    return arrivals
  }

  /** A fax is in the inbox soon after its call is over. */
  #receivedFrom(station: string): Promise<InboundFax[]> {
    const read = async () => {
      const faxes = await this.#line.gateway.client.listInbound({ query: { q: station } })
      return faxes.length > 0 ? faxes : undefined
    }
    return waitFor(`the fax from ${station}`, read, 30).catch(() => [])
  }

  async #isWhole({ id }: InboundFax): Promise<boolean> {
    const { client } = this.#line.gateway
    const digests = await Promise.all(
      this.#paper.pages.map(async (_, index) => {
        const shown = await client.getInboundPage({ params: { id, page: index + 1 }, query: {} })
        return digestOfPng(Buffer.from(await shown.arrayBuffer()))
      }),
    )
    return digests.join() === this.#paper.pages.join()
  }
}
