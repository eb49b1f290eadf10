import {
  CallLog,
  type CallTuning,
  type CallEnd,
  type Engine,
  type EngineListener,
  EngineSilence,
  type OutgoingFax,
  ProviderProblem,
  type Spool,
  StandingConnection,
} from '@faxdeck/provider-kit'
import type { AmiMessage } from './ami-frames.ts'
import type { AmiSession } from './ami-session.ts'
import { recordOfNote } from './call-facts.ts'
import { Calls } from './calls.ts'
import { attemptOf, type CallResult, parseResult, providerIdOf, untoldResult, updateOf } from './call-result.ts'
import { SessionWatch } from './watch-sessions.ts'

/** The dialplan reports the end at about the same moment as the channel goes. */
const lateAfterMs = 3000

/** Where a call finds its pages, and leaves its result. */
export interface CallPaths {
  pages: string
  result: string
}

export interface AsteriskAccess {
  /** Signs in. @throws {ProviderProblem} */
  open: (signal: AbortSignal, onEvent: (event: AmiMessage) => void) => Promise<AmiSession>
  /** The headers of the Originate that dials. @throws {ProviderProblem} when it is not to be dialed */
  originate: (fax: OutgoingFax, paths: CallPaths) => [name: string, value: string][]
  /** What of a call can be changed. */
  tuning: CallTuning
}

/** Asterisk with the shipped dialplan, over its manager interface. */
export class AsteriskEngine implements Engine {
  readonly name = 'Asterisk'
  readonly providerIdOf = providerIdOf
  readonly attemptOf = attemptOf
  readonly #access: AsteriskAccess
  readonly #spool: Spool
  readonly #listener: EngineListener
  readonly tuning: CallTuning
  readonly callOfNote = recordOfNote
  readonly calls: CallLog
  readonly #calls = new Calls()
  readonly #watch: SessionWatch
  readonly #connection: StandingConnection<AmiSession>

  constructor(access: AsteriskAccess, spool: Spool, listener: EngineListener, now = () => new Date()) {
    this.#access = access
    this.#spool = spool
    this.#listener = listener
    this.tuning = access.tuning
    this.calls = new CallLog(now)
    const session = (signal: AbortSignal) => this.#connection.session(signal)
    this.#watch = new SessionWatch({ calls: this.calls, spool, session, isOpen: () => this.#connection.isOpen })
    this.#connection = new StandingConnection({
      open: (signal) => access.open(signal, (event) => this.#onEvent(event)),
      onOpen: () => {
        listener.look()
        this.#watch.wake()
      },
      onProblem: listener.onProblem,
    })
    this.#connection.start()
  }

  dial = async (fax: OutgoingFax, handOver: () => Promise<string>, signal: AbortSignal): Promise<void> => {
    const { attemptId } = fax
    const session = await this.#connection.session(signal)
    const paths = { pages: this.#spool.pagesPath(attemptId), result: this.#spool.resultPath(attemptId) }
    const headers = this.#access.originate(fax, paths)
    await handOver()
    const response = await session.ask('Originate', headers, signal).catch((error: unknown) => {
      if (!(error instanceof EngineSilence)) throw error
      throw new ProviderProblem('uncertain', 'The connection to Asterisk broke while the fax was being submitted.')
    })
    if (response.get('response') !== 'Success') throw refusal(response.get('message') ?? 'no reason given')
  }

  isUp = async (attemptId: string, signal: AbortSignal): Promise<boolean> => {
    const headers = [
      ['Channel', providerIdOf(attemptId)],
      ['Variable', 'FAXDECK_ATTEMPT'],
    ] as const
    const answer = await this.#ask('GetVar', headers, signal)
    // Asterisk may take the beginning of an id for the whole.
    if (answer.get('response') === 'Success') return answer.get('value') === attemptId
    if (/no such channel/i.test(answer.get('message') ?? '')) return false
    throw refusal(answer.get('message') ?? 'no reason given')
  }

  hangUp = async (attemptId: string, signal: AbortSignal): Promise<void> => {
    await this.#ask('Hangup', [['Channel', providerIdOf(attemptId)]], signal)
  }

  /** The end as the dialplan wrote it down. */
  readEnd = async (attemptId: string): Promise<CallEnd | undefined> => {
    const result = parseResult((await this.#spool.readResult(attemptId)) ?? '')
    return result && this.#endOf(result)
  }

  listNoted = (): Promise<string[]> => this.#spool.listResults()

  forget = (attemptId: string): Promise<void> => this.#spool.settle(attemptId)

  close = async (): Promise<void> => {
    this.#watch.close()
    await this.#connection.close()
    this.#calls.forgetAll()
  }

  async #ask(
    action: string,
    headers: readonly (readonly [string, string])[],
    signal: AbortSignal,
  ): Promise<AmiMessage> {
    try {
      const session = await this.#connection.session(signal)
      return await session.ask(action, headers, signal)
    } catch (error) {
      if (error instanceof ProviderProblem) throw error
      throw new ProviderProblem('unreachable', 'Asterisk could not be asked about the call.')
    }
  }

  #onEvent(event: AmiMessage): void {
    const kind = event.get('event')
    if (kind === 'UserEvent' && event.get('userevent') === 'FaxdeckSent') {
      const result = parseResult(event.get('result') ?? '')
      if (result) this.#end(this.#endOf(result))
      return
    }
    this.#watch.onEvent(event)
    if (kind === 'UserEvent') {
      if (event.get('userevent') === 'FaxdeckReceived') this.#listener.look()
      else this.#onBeginning(event)
      return
    }
    const attemptId = attemptOf(event.get('uniqueid') ?? '')
    if (attemptId === undefined) {
      if (kind === 'Hangup') this.calls.end(event.get('uniqueid') ?? '')
      return
    }
    const call = this.#calls.note(attemptId)
    if (call.isOver) return
    if (kind === 'OriginateResponse' && event.get('response') === 'Failure') {
      call.failedFor = Number(event.get('reason') ?? 0)
    } else if (kind === 'Hangup') {
      call.cause = Number(event.get('cause') ?? 0)
    } else return
    call.timer ??= setTimeout(() => this.#endUntold(attemptId), lateAfterMs)
  }

  /** Somebody took a call of ours, or we take one. */
  #onBeginning(event: AmiMessage): void {
    const attempt = attemptOf(providerIdOf(event.get('attempt') ?? ''))
    const received = event.get('call') ?? ''
    if (event.get('userevent') === 'FaxdeckAnswered' && attempt !== undefined) this.calls.step(attempt, 'answered')
    else if (event.get('userevent') === 'FaxdeckReceives' && /^[\w.-]{1,150}$/.test(received)) {
      const numbers = { from: numberOf(event.get('from')), to: numberOf(event.get('to')) }
      this.calls.note(received, {}, 'received', numbers)
      this.calls.step(received, 'answered')
    } else return
    this.#watch.wake()
  }

  #endOf(result: CallResult): CallEnd {
    const heard = this.#calls.find(result.attemptId)?.cause ?? 0
    return updateOf({ ...result, cause: result.cause === 0 ? heard : result.cause })
  }

  #end(end: CallEnd): void {
    this.#calls.end(end.attemptId)
    this.#listener.ended(end)
  }

  /** The channel is gone and the dialplan reported nothing: its note counts, else what is known of the call. */
  #endUntold(attemptId: string): void {
    const call = this.#calls.find(attemptId)
    if (!call || call.isOver) return
    const { failedFor: reason, cause } = call
    void this.readEnd(attemptId).then((noted) => {
      if (noted) this.#end(noted)
      else if (reason === undefined) this.#end(this.#unknownEnd(attemptId))
      else this.#end(updateOf({ ...untoldResult, attemptId, reason, cause }))
    }, this.#listener.onProblem)
  }

  #unknownEnd(attemptId: string): CallEnd {
    const sentence = `The call ended and the dialplan did not report how: see that faxdeck.conf is included in extensions.conf, and that Asterisk can write to ${this.#spool.results}.`
    return { attemptId, providerId: providerIdOf(attemptId), state: 'failed', kind: 'uncertain', sentence }
  }
}

const numberOf = (text = '') => text.replace(/[^+\d]/g, '').slice(0, 20)

function refusal(words: string): ProviderProblem {
  if (/extension does not exist/i.test(words)) {
    const sentence = 'Asterisk has no dialplan for faxes: include faxdeck.conf in extensions.conf.'
    return new ProviderProblem('unreachable', sentence)
  }
  const kind = /permission|access|forbidden/i.test(words) ? 'bad_credentials' : 'rejected'
  return new ProviderProblem(kind, `Asterisk refused: ${words}.`)
}
