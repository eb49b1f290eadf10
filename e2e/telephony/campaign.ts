import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Job } from '../../packages/contract/src/index.ts'
import { pdfFile } from '../harness/paper.ts'
import type { ManagedLine } from './managed-line.ts'
import { type Given, judge, type Verdict } from './verdict.ts'
import { digestOfPng, heightOf, readWitness } from './witness.ts'

/** A document whose pages are known by their pixels. */
interface Paper {
  file: File
  pages: string[]
}

/** No header line, whose time would make pages differ, and second tries that come soon. */
export const campaignSettings = {
  fax_header_line: false,
  retry_busy_times: 1,
  retry_busy_minutes: 1,
  retry_no_answer_times: 1,
  retry_no_answer_minutes: 1,
  retry_line_error_times: 1,
  retry_line_error_minutes: 1,
  retry_unreachable_first_seconds: 2,
  retry_unreachable_longest_seconds: 10,
  pause_first_seconds: 2,
} as const

/** Faxes that go over a managed line, and what the carrier says of them. */
export class Campaign {
  readonly given: Given[] = []
  readonly #line: ManagedLine
  readonly #papers: readonly Paper[]
  readonly #height: number

  private constructor(line: ManagedLine, papers: readonly Paper[], height: number) {
    this.#line = line
    this.#papers = papers
    this.#height = height
  }

  /** @param kinds how many different documents there are, of so many pages each */
  static async open(line: ManagedLine, kinds = 4, count = 2): Promise<Campaign> {
    const { client } = line.gateway
    const papers: Paper[] = []
    let height = 0
    for (let kind = 1; kind <= kinds; kind++) {
      const text = Array.from({ length: count }, (_, page) => [`Document ${kind}, page ${page + 1} of ${count}.`])
      const file = pdfFile(`document-${kind}.pdf`, text)
      const { id } = await client.createPreview({ form: { file } })
      const pages: string[] = []
      for (let page = 1; page <= count; page++) {
        const shown = await client.getPreviewPage({ params: { id, page }, query: {} })
        const png = Buffer.from(await shown.arrayBuffer())
        height = heightOf(png)
        pages.push(digestOfPng(png))
      }
      papers.push({ file, pages })
    }
    return new Campaign(line, papers, height)
  }

  /** Hands one fax over. Every number gets one only, so that what each machine received can be told apart. */
  async send(to: string): Promise<string> {
    const paper = this.#papers[this.given.length % this.#papers.length]
    if (!paper) throw new Error('There is no document.')
    const { id } = await this.#line.gateway.client.submitFax({ form: { to, file: paper.file } })
    this.given.push({ id, to, pages: paper.pages })
    return id
  }

  /** The faxes as they ended. @throws {Error} with what is still open after so many seconds */
  async ended(seconds: number): Promise<Job[]> {
    const { client } = this.#line.gateway
    const until = performance.now() + seconds * 1000
    const over: Job[] = []
    let open = this.given.map(({ id }) => id)
    while (open.length > 0) {
      // They end about in the order in which they came.
      const looked = await Promise.all(open.slice(0, 30).map((id) => client.getJob({ params: { id } })))
      const done = looked.filter(({ status }) => status === 'SUCCESS' || status === 'FAILED')
      over.push(...done)
      const ended = new Set(done.map(({ id }) => id))
      open = open.filter((id) => !ended.has(id))
      if (performance.now() > until) {
        const words = looked.slice(0, 5).map((job) => `${job.to_number} ${job.status} ${job.error_kind} ${job.error}`)
        throw new Error(`${open.length} faxes have not ended: ${words.join('; ')}\n${this.#line.log}`)
      }
      if (done.length < 10) await sleep(1000)
    }
    return over
  }

  /** A file that a machine has, and the pixels of its pages. */
  pictureOf(number: string): { path: string; pages: readonly string[] } {
    const { directory } = this.#line.carrier.options
    const pages = readWitness(directory, this.#height).get(number)?.faxes[0]
    const [fax] = this.#line.carrier.received(number)
    if (!pages || !fax) throw new Error(`Nothing arrived at ${number}.`)
    const path = join(directory, 'incoming.tif')
    writeFileSync(path, fax.tiff)
    return { path, pages }
  }

  /** What the carrier makes of what Faxdeck says of every fax. */
  verdictOf(jobs: readonly Job[]): Verdict {
    return judge(this.given, jobs, readWitness(this.#line.carrier.options.directory, this.#height))
  }
}

/** For people who read the run. */
export function printVerdict(title: string, verdict: Verdict, more: object = {}): void {
  const { delivered, failed, calls, lost, doubled, falseEndings } = verdict
  const counts = { lost: lost.length, doubled: doubled.length, 'false endings': falseEndings.length }
  console.log(title, JSON.stringify({ delivered, failed, calls, ...counts, ...more }))
}
