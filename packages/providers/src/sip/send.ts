import {
  type Host,
  type Line,
  type OutgoingFax,
  ProviderProblem,
  type ProviderSettings,
  type SendReceipt,
  Spool,
  StandingConnection,
  type StatusUpdate,
} from '@faxdeck/provider-kit'
import type { AmiMessage } from './ami-frames.ts'
import type { AmiSession } from './ami-session.ts'
import { AmiSilence, openAmi } from './ami-session.ts'
import { Calls } from './calls.ts'
import { attemptOf, type CallResult, parseResult, providerIdOf, updateOf } from './call-result.ts'
import { Inbox } from './inbox.ts'
import { originateHeaders } from './originate.ts'

const sweepEveryMs = 60_000
/** The dialplan tells the end at about the same moment as the channel goes. */
const lateAfterMs = 3000
const cancelWaitMs = 10_000

/** Opens the line to Asterisk. What ended while nobody listened is told at once. */
export function openSipLine(host: Host, settings: ProviderSettings): Line {
  return new SipLine(host, settings)
}

class SipLine implements Line {
  readonly #host: Host
  readonly #settings: ProviderSettings
  readonly #spool: Spool
  readonly #inbox: Inbox
  readonly #calls = new Calls()
  readonly #connection: StandingConnection<AmiSession>
  readonly #sweeper: NodeJS.Timeout
  /** Ends that could not be recorded yet. */
  readonly #untold = new Map<string, CallResult>()
  #work: Promise<void> = Promise.resolve()

  constructor(host: Host, settings: ProviderSettings) {
    this.#host = host
    this.#settings = settings
    this.#spool = new Spool(host.directory)
    this.#inbox = new Inbox(host, this.#spool)
    this.#connection = new StandingConnection({
      open: (signal) => openAmi(settings, signal, (event) => this.#hear(event)),
      onOpen: () => this.#sweepSoon(),
      onTrouble: (error) => host.log.warn('Asterisk cannot be used now.', { reason: reasonOf(error) }),
    })
    this.#connection.start()
    this.#sweeper = setInterval(() => this.#sweepSoon(), sweepEveryMs)
    this.#sweepSoon()
  }

  send = async (fax: OutgoingFax, signal: AbortSignal): Promise<SendReceipt> => {
    const { attemptId } = fax
    await this.#spool.prepare(attemptId, fax.tiffPath)
    let response: AmiMessage
    try {
      const session = await this.#connection.session(signal)
      const paths = { pages: this.#spool.pagesPath(attemptId), result: this.#spool.resultPath(attemptId) }
      const headers = originateHeaders(fax, this.#settings, paths)
      this.#calls.note(attemptId)
      await this.#spool.handOver(attemptId)
      response = await session.ask('Originate', headers, signal)
    } catch (error) {
      if (error instanceof AmiSilence) {
        throw new ProviderProblem('uncertain', 'The connection to Asterisk broke while the fax was handed over.')
      }
      await this.#giveBack(attemptId)
      if (error instanceof ProviderProblem) throw error
      throw new ProviderProblem('unreachable', `Asterisk could not be asked to dial: ${reasonOf(error)}.`)
    }
    if (response.get('response') !== 'Success') {
      await this.#giveBack(attemptId)
      throw refusal(response.get('message') ?? 'no reason given')
    }
    const providerId = providerIdOf(attemptId)
    return { providerId, update: { attemptId, providerId, state: 'in_progress', word: 'calling' } }
  }

  status = async (providerId: string, signal: AbortSignal): Promise<StatusUpdate | undefined> => {
    const attemptId = attemptOf(providerId)
    if (attemptId === undefined) return undefined
    const told = await this.#readEnd(attemptId)
    if (told) return this.#endOf(told)
    const isUp = await this.#isUp(attemptId, signal)
    const toldMeanwhile = await this.#readEnd(attemptId)
    if (toldMeanwhile) return this.#endOf(toldMeanwhile)
    return isUp ? { attemptId, providerId, state: 'in_progress', word: 'calling' } : undefined
  }

  find = async (attemptId: string, signal: AbortSignal) => {
    const taken = { taken: true, providerId: providerIdOf(attemptId) } as const
    if (await this.#readEnd(attemptId)) return taken
    // Only what still lies here untouched was certainly never handed over.
    if ((await this.#spool.handoverOf(attemptId)) === 'prepared') {
      await this.#giveBack(attemptId)
      return { taken: false } as const
    }
    if ((await this.#isUp(attemptId, signal)) || (await this.#readEnd(attemptId))) return taken
    throw new ProviderProblem('uncertain', 'Asterisk has no such call any more and left no word of how it ended.')
  }

  cancel = async (providerId: string, signal: AbortSignal): Promise<boolean> => {
    const attemptId = attemptOf(providerId)
    if (attemptId === undefined || !(await this.#isUp(attemptId, signal))) return false
    const call = this.#calls.note(attemptId)
    call.cancelled = true
    const session = await this.#connection.session(signal)
    await session.ask('Hangup', [['Channel', providerId]], signal)
    const { promise, resolve } = Promise.withResolvers<undefined>()
    const timer = setTimeout(() => resolve(undefined), cancelWaitMs)
    const update = await Promise.race([call.ended.promise, promise])
    clearTimeout(timer)
    return update?.kind === 'cancelled'
  }

  close = async (): Promise<void> => {
    clearInterval(this.#sweeper)
    await this.#connection.close()
    this.#calls.forgetAll()
    await this.#work
  }

  async #giveBack(attemptId: string): Promise<void> {
    this.#calls.forget(attemptId)
    await this.#spool.dropPages(attemptId)
  }

  /** Whether the call of an attempt is still up. @throws {ProviderProblem} when Asterisk cannot say */
  async #isUp(attemptId: string, signal: AbortSignal): Promise<boolean> {
    const question = [
      ['Channel', providerIdOf(attemptId)],
      ['Variable', 'FAXDECK_ATTEMPT'],
    ] as const
    try {
      const session = await this.#connection.session(signal)
      const answer = await session.ask('GetVar', question, signal)
      // Asterisk may take the beginning of an id for the whole.
      if (answer.get('response') === 'Success') return answer.get('value') === attemptId
      if (/no such channel/i.test(answer.get('message') ?? '')) return false
      throw refusal(answer.get('message') ?? 'no reason given')
    } catch (error) {
      if (error instanceof ProviderProblem) throw error
      throw new ProviderProblem('unreachable', `Asterisk could not be asked about the call: ${reasonOf(error)}.`)
    }
  }

  #hear(event: AmiMessage): void {
    const kind = event.get('event')
    if (kind === 'UserEvent' && event.get('userevent') === 'FaxdeckSent') {
      const result = parseResult(event.get('result') ?? '')
      if (result) this.#soon(() => this.#settle(result))
      return
    }
    const attemptId = attemptOf(event.get('uniqueid') ?? '')
    if (attemptId === undefined) return
    const call = this.#calls.note(attemptId)
    if (call.settled) return
    if (kind === 'OriginateResponse' && event.get('response') === 'Failure') {
      call.failedFor = Number(event.get('reason') ?? 0)
    } else if (kind === 'Hangup') {
      call.cause = Number(event.get('cause') ?? 0)
    } else return
    call.timer ??= setTimeout(() => this.#soon(() => this.#settleUntold(attemptId)), lateAfterMs)
  }

  /** The end as the dialplan wrote it down, or as it was heard and could not be recorded. */
  async #readEnd(attemptId: string): Promise<CallResult | undefined> {
    return parseResult((await this.#spool.readResult(attemptId)) ?? '') ?? this.#untold.get(attemptId)
  }

  #endOf(result: CallResult): StatusUpdate {
    const call = this.#calls.find(result.attemptId)
    const cause = result.cause === 0 || !result.answered ? (call?.cause ?? result.cause) : result.cause
    const update = updateOf({ ...result, cause })
    if (!call?.cancelled || update.state === 'delivered' || result.pages > 0) return update
    return { ...update, kind: 'cancelled', sentence: 'The call was given up before a page went out.' }
  }

  async #settle(result: CallResult): Promise<void> {
    const { attemptId } = result
    const update = this.#endOf(result)
    this.#untold.set(attemptId, result)
    await this.#host.report(update)
    this.#untold.delete(attemptId)
    this.#calls.settle(attemptId, update)
    await this.#spool.settle(attemptId)
  }

  /** The channel is gone and the dialplan said nothing: what was heard otherwise counts. */
  async #settleUntold(attemptId: string): Promise<void> {
    const call = this.#calls.find(attemptId)
    if (!call || call.settled) return
    const result = await this.#readEnd(attemptId)
    if (result) return this.#settle(result)
    const { failedFor: reason, cause } = call
    if (reason !== undefined) {
      const nothing = { status: '', pages: 0, error: '', mode: '' }
      return this.#settle({ attemptId, answered: false, reason, cause, ...nothing })
    }
    const sentence = `The call ended and the dialplan did not tell how: see that faxdeck.conf is included in extensions.conf, and that Asterisk can write to ${this.#spool.results}.`
    const providerId = providerIdOf(attemptId)
    await this.#host.report({ attemptId, providerId, state: 'failed', kind: 'uncertain', sentence })
    this.#calls.forget(attemptId)
  }

  #sweepSoon(): void {
    this.#soon(async () => {
      await this.#spool.prepareFolders()
      for (const attemptId of new Set([...this.#untold.keys(), ...(await this.#spool.listResults())])) {
        this.#soon(async () => {
          const result = await this.#readEnd(attemptId)
          if (result) await this.#settle(result)
        })
      }
      await this.#inbox.sweep()
      await this.#spool.dropRubbish(this.#host.now())
    })
  }

  /** One thing after the other; what fails is tried again by the next sweep. */
  #soon(work: () => Promise<void>): void {
    this.#work = this.#work.then(work).catch((error: unknown) => {
      this.#host.log.warn('What came from Asterisk could not be recorded and is tried again.', {
        reason: reasonOf(error),
      })
    })
  }
}

function refusal(words: string): ProviderProblem {
  if (/extension does not exist/i.test(words)) {
    return new ProviderProblem(
      'unreachable',
      'Asterisk has no dialplan for faxes: include faxdeck.conf in extensions.conf.',
    )
  }
  const kind = /permission|access|forbidden/i.test(words) ? 'bad_credentials' : 'rejected'
  return new ProviderProblem(kind, `Asterisk refused: ${words}.`)
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
