import { join } from 'node:path'
import { ProviderProblem, type Host, type Line, type OutgoingFax, type SendReceipt } from '@faxdeck/provider-kit'
import { CallEndings } from './call-endings.ts'
import { type Call, Calls, type NewCall, UnsureWrite } from './calls.ts'
import { claimDirectory } from './claim.ts'
import { planCall } from './destinations.ts'
import { bringInJournals } from './earlier-journals.ts'
import { isMissing, PageStore } from './page-store.ts'
import { attemptOf, callIdOf, updateOf } from './report.ts'

const fileNameShape = /^[\w-]{1,100}$/

/** The far end of the test line: takes calls, lets them end as their number says, and reports them. Its memory is on the disk. */
export class Exchange implements Required<Pick<Line, 'send' | 'status' | 'find' | 'cancel' | 'close'>> {
  readonly #host: Host
  readonly #seconds: number
  readonly #calls: Calls
  readonly #pages: PageStore
  readonly #endings: CallEndings
  readonly #unclaim: () => void
  readonly #taking = new Map<string, Promise<Call>>()
  /** Attempts that may be on the disk or not. The next opening shows which. */
  readonly #doubtful = new Map<string, ProviderProblem>()
  #closing: Promise<void> | undefined

  private constructor(host: Host, seconds: number, calls: Calls, pages: PageStore, unclaim: () => void) {
    this.#host = host
    this.#seconds = seconds
    this.#calls = calls
    this.#pages = pages
    this.#endings = new CallEndings(host, calls, pages)
    this.#unclaim = unclaim
  }

  /**
   * Opens the line over a directory and takes up the calls that were under way when it was last used.
   * @param seconds how long an ordinary call takes
   * @throws {Error} when another process uses the directory, or the record of its calls is damaged or cannot be written
   */
  static async open(host: Host, seconds: number): Promise<Exchange> {
    const pages = await PageStore.open(join(host.directory, 'received'))
    const unclaim = await claimDirectory(host.directory)
    let calls: Calls | undefined
    try {
      calls = await Calls.open(host.directory)
      await bringInJournals(host.directory, calls, pages.keepNumber)
      const exchange = new Exchange(host, seconds, calls, pages, unclaim)
      await exchange.#resume()
      return exchange
    } catch (error) {
      await calls?.close()
      unclaim()
      throw error
    }
  }

  send = async (fax: OutgoingFax, signal: AbortSignal): Promise<SendReceipt> => {
    if (this.#closing || signal.aborted) {
      throw new ProviderProblem('unreachable', 'The test line was closed before it accepted the fax.')
    }
    const { attemptId } = fax
    this.#refuseDoubtful(attemptId)
    const call = await (this.#taking.get(attemptId) ?? this.#calls.get(attemptId) ?? this.#takeOnce(fax))
    const update = updateOf(call)
    if (!update) {
      throw new ProviderProblem(
        'uncertain',
        'The connection was lost while sending. The test line may or may not have accepted the fax.',
      )
    }
    return { providerId: callIdOf(attemptId), update }
  }

  status = async (providerId: string) => {
    const call = this.#calls.get(attemptOf(providerId))
    return call && updateOf(call)
  }

  find = async (attemptId: string) => {
    // A take that fails has given its sender the reason; here only the outcome counts, which the table has.
    await this.#taking.get(attemptId)?.catch(() => undefined)
    this.#refuseDoubtful(attemptId)
    const call = this.#calls.get(attemptId)
    if (!call) return { taken: false } as const
    if (call.plan === 'unknown') {
      throw new ProviderProblem(
        'uncertain',
        'The test line does not know whether it accepted this fax. Ask the recipient.',
      )
    }
    return { taken: true, providerId: callIdOf(attemptId) } as const
  }

  cancel = async (providerId: string) => {
    const attempt = attemptOf(providerId)
    if (!this.#calls.get(attempt)) return false
    await this.#calls.end(attempt, 'cancelled', this.#host.now().getTime())
    this.#endings.endLater(attempt, 0)
    return this.#calls.get(attempt)?.ending === 'cancelled'
  }

  /** Stops the clock and resolves when what is under way is written. What was not reported yet is reported at the next opening. */
  close = (): Promise<void> => (this.#closing ??= this.#close())

  async #close(): Promise<void> {
    await Promise.allSettled(this.#taking.values())
    await this.#endings.close()
    await this.#calls.close()
    this.#unclaim()
  }

  async #resume(): Promise<void> {
    const calls = this.#calls.unsettled()
    await this.#pages.dropAllBut(new Set(calls.map(({ attempt }) => attempt)))
    const now = this.#host.now().getTime()
    for (const { attempt, begun_at, seconds, ending } of calls) {
      // However far the clock was moved meanwhile, a call takes no longer than it was to take.
      this.#endings.endLater(attempt, ending ? 0 : Math.min(begun_at + seconds * 1000 - now, seconds * 1000))
    }
    if (calls.length > 0) {
      this.#host.log.info('The test line resumes the calls that were in progress.', { calls: calls.length })
    }
  }

  #takeOnce(fax: OutgoingFax): Promise<Call> {
    const taking = this.#take(fax).finally(() => this.#taking.delete(fax.attemptId))
    this.#taking.set(fax.attemptId, taking)
    return taking
  }

  async #take(fax: OutgoingFax): Promise<Call> {
    const call = this.#plan(fax)
    if (call.prints) await this.#keepPages(fax)
    try {
      await this.#calls.add(call)
    } catch (error) {
      if (error instanceof UnsureWrite)
        this.#doubtful.set(fax.attemptId, new ProviderProblem('uncertain', error.message))
      this.#refuseDoubtful(fax.attemptId)
      await this.#pages.drop(fax.attemptId)
      throw unreachable(error)
    }
    this.#endings.endLater(call.attempt, call.seconds * 1000)
    return { ...call, ending: null, ended_at: null, settled_at: null }
  }

  #plan(fax: OutgoingFax): NewCall {
    if (!fileNameShape.test(fax.attemptId)) throw new ProviderProblem('rejected', 'The attempt has no usable id.')
    const { ending: plan, seconds } = planCall(fax.to, this.#seconds, () => this.#calls.countOf(fax.jobId))
    return {
      attempt: fax.attemptId,
      job: fax.jobId,
      pages: fax.pages,
      begun_at: this.#host.now().getTime(),
      seconds,
      plan,
      prints: plan === 'delivered' || (plan === 'unknown' && Math.random() < 0.5) ? 1 : 0,
    }
  }

  #refuseDoubtful(attempt: string): void {
    const doubt = this.#doubtful.get(attempt)
    if (doubt) throw doubt
  }

  async #keepPages(fax: OutgoingFax): Promise<void> {
    if (fax.tiffPath === null) throw new ProviderProblem('bad_document', 'The pages of the fax were not rendered.')
    try {
      await this.#pages.keep(fax.attemptId, fax.tiffPath, fax.to)
    } catch (error) {
      if (isMissing(error)) throw new ProviderProblem('bad_document', 'The rendered pages of the fax are gone.')
      await this.#pages.drop(fax.attemptId)
      throw unreachable(error)
    }
  }
}

function unreachable(error: unknown): ProviderProblem {
  const reason = error instanceof Error ? error.message : String(error)
  return new ProviderProblem('unreachable', `The test line could not accept the fax: ${reason}`)
}
