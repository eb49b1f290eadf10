import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import type { CallTuning } from '../call-options.ts'
import { type CallRecord, mergeRecords } from '../call-record.ts'
import type { Host, Line, OutgoingFax, SendReceipt, StatusUpdate } from '../provider.ts'
import { ProviderProblem } from '../provider.ts'
import { asCanceled } from './as-canceled.ts'
import type { CallLog, LiveCall } from './call-log.ts'
import { Inbox } from './inbox.ts'
import type { ReceivedNote } from './received-note.ts'
import type { Spool } from './spool.ts'

/** The end of a call, of an attempt that is known. */
export type CallEnd = StatusUpdate & { attemptId: string }

/** A telephone engine that dials, faxes and receives: what differs between Asterisk and FreeSWITCH. */
export interface Engine {
  /** For people. */
  name: string
  /** What of a call it can be asked to change. */
  tuning?: CallTuning
  /** What it reports of calls while they are up. */
  calls?: CallLog
  /** What its note of a received fax says of the call. */
  callOfNote?: (note: ReceivedNote) => CallRecord | undefined
  providerIdOf: (attemptId: string) => string
  /** Undefined if it is not one of our calls. */
  attemptOf: (providerId: string) => string | undefined
  /**
   * Asks the engine to dial; resolves when it has taken the call.
   * @param handOver is called, and awaited, right before anything is asked
   * @throws {ProviderProblem} kinds other than `uncertain` promise that nothing was dialed
   */
  dial: (fax: OutgoingFax, handOver: () => Promise<string>, signal: AbortSignal) => Promise<void>
  /** @throws {ProviderProblem} when the engine cannot say */
  isUp: (attemptId: string, signal: AbortSignal) => Promise<boolean>
  hangUp: (attemptId: string, signal: AbortSignal) => Promise<void>
  /** The attempts that the engine may have left a note of. */
  listNoted: () => Promise<string[]>
  /** The end of a call according to the engine's record; undefined if there is none. */
  readEnd: (attemptId: string, signal: AbortSignal) => Promise<CallEnd | undefined>
  /** Removes pages and note of an attempt whose end was reported. */
  forget: (attemptId: string, signal: AbortSignal) => Promise<void>
  /**
   * Notes in the inbox what the engine itself remembers of received faxes, and has it forget what was taken from there.
   * @returns whether something was noted
   * @throws {ProviderProblem} when it cannot be asked
   */
  recallReceived?: (signal: AbortSignal) => Promise<boolean>
  close: () => Promise<void>
}

/** What an engine reports to its line. */
export interface EngineListener {
  ended: (end: CallEnd) => void
  /** It can be talked to again, or has written something: time to look into the shared folder. */
  look: () => void
  onProblem: (error: unknown) => void
}

const lookEveryMs = 60_000
/** A call that is gone may still be about to report how it ended. */
const lastWordMs = 3000
const endsRemembered = 1000
const noteTimeoutMs = 10_000
/** So long pages wait for what the engine remembers of them, while it cannot be asked. */
const deafMs = 10 * 60_000

/** A line over a telephone engine that shares a folder with the gateway. */
export class TelephoneLine implements Line {
  readonly #host: Host
  readonly #spool: Spool
  readonly #inbox: Inbox
  readonly #engine: Engine
  readonly #looker: NodeJS.Timeout
  /** Ends that could not be recorded yet. */
  readonly #unreported = new Map<string, CallEnd>()
  /** The last ends that were recorded: a question about such a call may still be on its way. */
  readonly #reported = new Map<string, CallEnd>()
  /** Calls that were hung up on request and whose end is not recorded yet. */
  readonly #canceling = new Map<string, PromiseWithResolvers<CallEnd>>()
  #work: Promise<void> = Promise.resolve()
  readonly #cancelWaitMs: number
  #recalledAt: number

  /** @param cancelWaitMs how long the end of a call that was hung up is waited for */
  constructor(host: Host, spool: Spool, open: (listener: EngineListener) => Engine, cancelWaitMs = 10_000) {
    this.#cancelWaitMs = cancelWaitMs
    this.#host = host
    this.#spool = spool
    const isUp = (id: string) => this.calls().some((call) => call.id === id)
    this.#inbox = new Inbox(host, spool, (note) => this.#engine.callOfNote?.(note), isUp)
    this.#recalledAt = host.now().getTime()
    this.#engine = open({
      ended: (end) => this.#soon(() => this.#settle(end)),
      look: () => this.#look(),
      onProblem: (error) => host.log.warn(`${this.#engine.name} cannot be used now.`, { reason: reasonOf(error) }),
    })
    this.#looker = setInterval(() => this.#look(), lookEveryMs)
    this.#look()
  }

  send = async (fax: OutgoingFax, signal: AbortSignal): Promise<SendReceipt> => {
    const { attemptId } = fax
    await this.#spool.prepare(attemptId, fax.tiffPath)
    try {
      const handOver = () => {
        this.#engine.calls?.step(attemptId, 'dialed')
        return this.#spool.handOver(attemptId)
      }
      await this.#engine.dial(fax, handOver, signal)
    } catch (error) {
      if (error instanceof ProviderProblem && error.kind === 'uncertain') throw error
      this.#engine.calls?.end(attemptId)
      await this.#spool.dropPages(attemptId)
      if (error instanceof ProviderProblem) throw error
      throw new ProviderProblem('unreachable', `${this.#engine.name} could not be asked to dial: ${reasonOf(error)}.`)
    }
    const providerId = this.#engine.providerIdOf(attemptId)
    return { providerId, update: { attemptId, providerId, state: 'in_progress', word: 'calling' } }
  }

  status = async (providerId: string, signal: AbortSignal): Promise<StatusUpdate | undefined> => {
    const attemptId = this.#engine.attemptOf(providerId)
    if (attemptId === undefined) return undefined
    const word = await this.#lastWordOf(attemptId, signal)
    if (word === 'up') return { attemptId, providerId, state: 'in_progress', word: 'calling' }
    if (word) return word
    return { attemptId, providerId, state: 'failed', kind: 'uncertain', sentence: this.#noWord() }
  }

  find = async (attemptId: string, signal: AbortSignal) => {
    const taken = { taken: true, providerId: this.#engine.providerIdOf(attemptId) } as const
    // Only what still lies here untouched was certainly never handed over.
    if ((await this.#spool.handoverOf(attemptId)) === 'prepared') {
      await this.#spool.dropPages(attemptId)
      return { taken: false } as const
    }
    if (await this.#lastWordOf(attemptId, signal)) return taken
    throw new ProviderProblem('uncertain', this.#noWord())
  }

  cancel = async (providerId: string, signal: AbortSignal): Promise<boolean> => {
    const attemptId = this.#engine.attemptOf(providerId)
    if (attemptId === undefined || !(await this.#engine.isUp(attemptId, signal))) return false
    const canceling = this.#canceling.get(attemptId) ?? Promise.withResolvers<CallEnd>()
    this.#canceling.set(attemptId, canceling)
    await this.#engine.hangUp(attemptId, signal)
    const waited = new AbortController()
    const silence = sleep(this.#cancelWaitMs, undefined, { signal: waited.signal })
    const end = await Promise.race([canceling.promise, silence.catch(() => undefined)])
    waited.abort()
    return (end ?? (await this.#giveUp(attemptId, providerId, signal)))?.kind === 'cancelled'
  }

  get tuning(): CallTuning | undefined {
    return this.#engine.tuning
  }

  calls = (): LiveCall[] => this.#engine.calls?.live() ?? []

  receivedCall = (providerId: string): CallRecord | undefined => this.#engine.calls?.recordOf(providerId)

  close = async (): Promise<void> => {
    clearInterval(this.#looker)
    await this.#engine.close()
    await this.#work
  }

  /** How a call ended, or that it is up; undefined when the engine has no such call and left no word of it. */
  async #lastWordOf(attemptId: string, signal: AbortSignal): Promise<CallEnd | 'up' | undefined> {
    const known = await this.#endOf(attemptId, signal)
    if (known) return known
    // An engine knows its calls: one that stays gone has ended, and must not hold the line while its fax is looked after.
    for (const pause of [0, lastWordMs]) {
      if (pause > 0) await sleep(pause, undefined, { signal }).catch(() => signal.throwIfAborted())
      const isUp = await this.#engine.isUp(attemptId, signal)
      const end = await this.#endOf(attemptId, signal)
      if (end) return end
      if (isUp) return 'up'
    }
    return undefined
  }

  async #endOf(attemptId: string, signal: AbortSignal): Promise<CallEnd | undefined> {
    const heard = this.#unreported.get(attemptId) ?? this.#reported.get(attemptId)
    const end = heard ?? (await this.#engine.readEnd(attemptId, signal))
    return end && this.#asCanceled(end)
  }

  #noWord(): string {
    return `${this.#engine.name} no longer has this call and did not report how it ended.`
  }

  #asCanceled(end: CallEnd): CallEnd {
    return this.#canceling.has(end.attemptId) ? asCanceled(end) : end
  }

  /** The call was hung up and no end of it was reported: it is canceled all the same, unless it is still up. */
  async #giveUp(attemptId: string, providerId: string, signal: AbortSignal): Promise<CallEnd | undefined> {
    if (await this.#engine.isUp(attemptId, signal)) return undefined
    const unknown = { attemptId, providerId, state: 'failed', kind: 'uncertain' } as const
    const end = (await this.#endOf(attemptId, signal)) ?? asCanceled<CallEnd>(unknown)
    await this.#settle(end)
    return end
  }

  /** An engine reports an end more than once: the first counts and is reported once, unless the fax has arrived after all. */
  #firstEnd(reported: CallEnd): CallEnd {
    const known = this.#reported.get(reported.attemptId)
    if (!known || reported.state !== 'failed') return this.#asCanceled(reported)
    return reported.call ? { ...known, call: reported.call } : known
  }

  /** The end with what is known of the call before. */
  #withCall(end: CallEnd): CallEnd {
    const { calls } = this.#engine
    calls?.end(end.attemptId)
    const call = mergeRecords(calls?.recordOf(end.attemptId), end.call)
    return call ? { ...end, call } : end
  }

  async #settle(reported: CallEnd): Promise<void> {
    const end = this.#firstEnd(this.#withCall(reported))
    const { attemptId } = end
    const known = this.#reported.get(attemptId)
    if (known?.state !== end.state || !isDeepStrictEqual(known.call, end.call)) {
      this.#unreported.set(attemptId, end)
      await this.#host.report(end)
      this.#unreported.delete(attemptId)
    }
    this.#canceling.get(attemptId)?.resolve(end)
    // Of a call whose end is unknown, the pages and a late note still mean something.
    if (end.kind === 'uncertain') return
    this.#remember(end)
    this.#canceling.delete(attemptId)
    await this.#engine.forget(attemptId, AbortSignal.timeout(noteTimeoutMs))
  }

  #remember(end: CallEnd): void {
    this.#reported.set(end.attemptId, end)
    const [oldest] = this.#reported.keys()
    if (oldest !== undefined && this.#reported.size > endsRemembered) this.#reported.delete(oldest)
  }

  #look(): void {
    this.#soon(async () => {
      await this.#spool.prepareFolders()
      for (const attemptId of new Set([...this.#unreported.keys(), ...(await this.#engine.listNoted())])) {
        this.#soon(async () => {
          const signal = AbortSignal.timeout(noteTimeoutMs)
          if (this.#reported.has(attemptId)) return this.#engine.forget(attemptId, signal)
          const end = await this.#endOf(attemptId, signal)
          if (end) await this.#settle(end)
        })
      }
      const recalled = await this.#recall()
      await this.#inbox.collect(recalled !== 'waiting')
      if (recalled === 'noted') await this.#recall()
      await this.#spool.dropRubbish(this.#host.now())
    })
  }

  /** Asks the engine what it remembers of received faxes; `waiting` as long as there is hope that it will answer. */
  async #recall(): Promise<'noted' | 'nothing' | 'waiting'> {
    const now = this.#host.now().getTime()
    try {
      const noted = (await this.#engine.recallReceived?.(AbortSignal.timeout(noteTimeoutMs))) ?? false
      this.#recalledAt = now
      return noted ? 'noted' : 'nothing'
    } catch (error) {
      if (!(error instanceof ProviderProblem)) throw error
      return now - this.#recalledAt > deafMs ? 'nothing' : 'waiting'
    }
  }

  /** One thing after the other; what fails is tried again at the next look. */
  #soon(work: () => Promise<void>): void {
    this.#work = this.#work.then(work).catch((error: unknown) => {
      const reason = reasonOf(error)
      this.#host.log.warn('A report from the line could not be recorded. Faxdeck will try again.', { reason })
    })
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
