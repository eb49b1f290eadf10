import { join } from 'node:path'
import { ProviderProblem, type Host, type Line, type OutgoingFax, type SendReceipt } from '@faxdeck/provider-kit'
import { CallEndings } from './call-endings.ts'
import { CallMemory } from './call-memory.ts'
import type { Call } from './calls.ts'
import { claimDirectory } from './claim.ts'
import { planCall } from './destinations.ts'
import { forgetNumbers } from './forget-numbers.ts'
import { isMissing, UnsureWrite } from './journal.ts'
import { PageStore } from './page-store.ts'
import type { Taken } from './record.ts'
import { attemptOf, callIdOf, updateOf } from './report.ts'

const fileNameShape = /^[\w-]{1,100}$/

/** The far end of the test line: takes calls, lets them end as their number says, and reports them. Its memory is on the disk. */
export class Exchange implements Required<Pick<Line, 'send' | 'status' | 'find' | 'cancel' | 'close'>> {
  readonly #host: Host
  readonly #seconds: number
  readonly #memory: CallMemory
  readonly #pages: PageStore
  readonly #endings: CallEndings
  readonly #unclaim: () => Promise<void>
  readonly #taking = new Map<string, Promise<Call>>()
  /** Attempts that may be on the disk or not, which the next opening will show. */
  readonly #doubtful = new Map<string, ProviderProblem>()
  #closing: Promise<void> | undefined

  private constructor(host: Host, seconds: number, memory: CallMemory, pages: PageStore, unclaim: () => Promise<void>) {
    this.#host = host
    this.#seconds = seconds
    this.#memory = memory
    this.#pages = pages
    this.#endings = new CallEndings(host, memory, pages)
    this.#unclaim = unclaim
  }

  /**
   * Opens the line over a directory and takes up the calls that were under way when it was last used.
   * @param seconds how long an ordinary call takes
   * @throws {Error} when another process uses the directory, or its journal is damaged or cannot be written
   */
  static async open(host: Host, seconds: number): Promise<Exchange> {
    const pages = await PageStore.open(join(host.directory, 'received'))
    const unclaim = await claimDirectory(host.directory)
    try {
      await forgetNumbers(host.directory, (attempt, number) => pages.keepNumber(attempt, number))
      const memory = await CallMemory.open(host.directory)
      const exchange = new Exchange(host, seconds, memory, pages, unclaim)
      await exchange.#resume()
      return exchange
    } catch (error) {
      await unclaim()
      throw error
    }
  }

  send = async (fax: OutgoingFax, signal: AbortSignal): Promise<SendReceipt> => {
    if (this.#closing || signal.aborted) {
      throw new ProviderProblem('unreachable', 'The test line was closed before it accepted the fax.')
    }
    this.#refuseDoubtful(fax.attemptId)
    const call = this.#memory.calls.get(fax.attemptId) ?? (await this.#takeOnce(fax))
    const update = updateOf(call)
    if (!update) {
      throw new ProviderProblem(
        'uncertain',
        'The connection was lost while sending. The test line may or may not have accepted the fax.',
      )
    }
    return { providerId: callIdOf(fax.attemptId), update }
  }

  status = async (providerId: string) => {
    const call = this.#memory.calls.get(attemptOf(providerId))
    return call && updateOf(call)
  }

  find = async (attemptId: string) => {
    // A take that fails has given its sender the reason; here only the outcome counts, which the memory holds.
    await this.#taking.get(attemptId)?.catch(() => undefined)
    this.#refuseDoubtful(attemptId)
    const taken = await this.#memory.recall(attemptId)
    if (!taken) return { taken: false } as const
    if (taken.ending === 'unknown') {
      throw new ProviderProblem(
        'uncertain',
        'The test line does not know whether it accepted this fax. Ask the recipient.',
      )
    }
    return { taken: true, providerId: callIdOf(attemptId) } as const
  }

  cancel = async (providerId: string) => {
    const call = this.#memory.calls.get(attemptOf(providerId))
    if (!call) return false
    await this.#endings.end(call, 'cancelled')
    this.#endings.endLater(call, 0)
    return call.ended?.ending === 'cancelled'
  }

  /** Stops the clock and resolves when what is under way is written. What was not reported yet is reported at the next opening. */
  close = (): Promise<void> => (this.#closing ??= this.#close())

  async #close(): Promise<void> {
    await Promise.allSettled(this.#taking.values())
    await this.#endings.close()
    await this.#memory.close()
    await this.#unclaim()
  }

  async #resume(): Promise<void> {
    const calls = this.#memory.calls.unsettled()
    await this.#pages.dropAllBut(new Set(calls.map(({ taken }) => taken.attempt)))
    const now = this.#host.now().getTime()
    for (const call of calls) {
      const { at, seconds } = call.taken
      // However far the clock was moved meanwhile, a call takes no longer than it was to take.
      const left = call.ended ? 0 : Math.min(at + seconds * 1000 - now, seconds * 1000)
      this.#endings.endLater(call, left)
    }
    if (calls.length > 0) {
      this.#host.log.info('The test line resumes the calls that were in progress.', { calls: calls.length })
    }
  }

  #takeOnce(fax: OutgoingFax): Promise<Call> {
    const under = this.#taking.get(fax.attemptId)
    if (under) return under
    const taking = this.#take(fax).finally(() => this.#taking.delete(fax.attemptId))
    this.#taking.set(fax.attemptId, taking)
    return taking
  }

  async #take(fax: OutgoingFax): Promise<Call> {
    const taken = this.#plan(fax)
    if (taken.prints) await this.#keepPages(fax)
    try {
      await this.#memory.record(taken)
    } catch (error) {
      if (error instanceof UnsureWrite)
        this.#doubtful.set(fax.attemptId, new ProviderProblem('uncertain', error.message))
      this.#refuseDoubtful(fax.attemptId)
      await this.#pages.drop(fax.attemptId)
      throw unreachable(error)
    }
    const call = this.#memory.calls.get(taken.attempt) ?? { taken, ended: undefined, settled: false }
    this.#endings.endLater(call, taken.seconds * 1000)
    return call
  }

  #plan(fax: OutgoingFax): Taken {
    if (!fileNameShape.test(fax.attemptId)) throw new ProviderProblem('rejected', 'The attempt has no usable id.')
    const { ending, seconds } = planCall(fax.to, this.#seconds, () => this.#memory.calls.countOf(fax.jobId))
    return {
      event: 'taken',
      attempt: fax.attemptId,
      job: fax.jobId,
      pages: fax.pages,
      at: this.#host.now().getTime(),
      seconds,
      ending,
      prints: ending === 'delivered' || (ending === 'unknown' && Math.random() < 0.5),
    }
  }

  #refuseDoubtful(attempt: string): void {
    const doubt = this.#doubtful.get(attempt)
    if (doubt) throw doubt
  }

  async #keepPages(fax: OutgoingFax): Promise<void> {
    if (fax.tiffPath === null) throw new ProviderProblem('bad_document', 'The pages of the fax were not rendered.')
    try {
      await this.#pages.keep(fax.attemptId, fax.tiffPath)
      await this.#pages.keepNumber(fax.attemptId, fax.to)
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
