import {
  CallLog,
  type CallTuning,
  type CallEnd,
  type Engine,
  type EngineListener,
  EngineSilence,
  type OutgoingFax,
  ProviderProblem,
  type ProviderSettings,
  type Spool,
  StandingConnection,
} from '@faxdeck/provider-kit'
import { noteProgress } from './call-facts.ts'
import type { EslMessage } from './esl-frames.ts'
import { type EslSession, openEsl } from './esl-session.ts'
import { attemptOf, freeswitchTuning, noteOf, originateCommand, uuidOf } from './originate.ts'
import { isRemembered, Reception, recordOfNote } from './received.ts'
import { hangupEnd, isOurs, jobEnd, notedEnd, resultEnd } from './reported-ends.ts'

/** FreeSWITCH, over its event socket. */
export class FreeswitchEngine implements Engine {
  readonly name = 'FreeSWITCH'
  readonly providerIdOf = uuidOf
  readonly attemptOf = attemptOf
  readonly tuning: CallTuning
  readonly callOfNote = recordOfNote
  readonly calls: CallLog
  readonly #settings: ProviderSettings
  readonly #spool: Spool
  readonly #listener: EngineListener
  readonly #connection: StandingConnection<EslSession>
  readonly #reception: Reception
  readonly #dials = new Set<Promise<void>>()
  #noting: Promise<void> = Promise.resolve()

  constructor(settings: ProviderSettings, spool: Spool, listener: EngineListener, now = () => new Date()) {
    this.tuning = freeswitchTuning(settings)
    this.calls = new CallLog(now)
    this.#settings = settings
    this.#spool = spool
    this.#listener = listener
    this.#reception = new Reception(spool)
    this.#connection = new StandingConnection({
      open: (signal) => openEsl(settings, signal, (event) => this.#onEvent(event)),
      onOpen: listener.look,
      onProblem: listener.onProblem,
    })
    this.#connection.start()
  }

  dial = async (fax: OutgoingFax, handOver: () => Promise<string>, signal: AbortSignal): Promise<void> => {
    const dial = this.#dial(fax, handOver, signal)
    this.#dials.add(dial)
    await dial.finally(() => this.#dials.delete(dial))
  }

  async #dial(fax: OutgoingFax, handOver: () => Promise<string>, signal: AbortSignal): Promise<void> {
    const command = originateCommand(fax, this.#settings, this.#spool.pagesPath(fax.attemptId))
    const session = await this.#connection.session(signal)
    await handOver()
    const job = [`Job-UUID: ${uuidOf(fax.attemptId)}`]
    const reply = await session.ask(`bgapi ${command}`, signal, job).catch((error: unknown) => {
      if (!(error instanceof EngineSilence)) throw error
      throw new ProviderProblem('uncertain', 'The connection to FreeSWITCH broke while the fax was being submitted.')
    })
    if (!reply.startsWith('+OK')) throw new ProviderProblem('rejected', `FreeSWITCH refused: ${reply.slice(0, 100)}.`)
  }

  isUp = async (attemptId: string, signal: AbortSignal): Promise<boolean> =>
    (await this.#api(`uuid_exists ${uuidOf(attemptId)}`, signal)) === 'true'

  hangUp = async (attemptId: string, signal: AbortSignal): Promise<void> => {
    await this.#api(`uuid_kill ${uuidOf(attemptId)}`, signal)
  }

  /** Whose pages still lie here; while nobody can be asked, none. */
  listNoted = async (): Promise<string[]> => (this.#connection.isOpen ? this.#spool.listHanded() : [])

  readEnd = async (attemptId: string, signal: AbortSignal): Promise<CallEnd | undefined> => {
    const uuid = uuidOf(attemptId)
    return notedEnd(uuid, await this.#api(`db select/${noteOf(uuid)}`, signal))
  }

  /** The note goes first: as long as the pages lie there, it is asked for. */
  forget = async (attemptId: string, signal: AbortSignal): Promise<void> => {
    await this.#api(`db delete/${noteOf(uuidOf(attemptId))}`, signal)
    await this.#spool.dropPages(attemptId)
  }

  recallReceived = async (signal: AbortSignal): Promise<boolean> => {
    if (!this.#connection.isOpen) throw new ProviderProblem('unreachable', 'FreeSWITCH cannot be asked now.')
    // Replies come in the order of the commands: a long list is not asked for while a call is handed over.
    await Promise.allSettled(this.#dials)
    return this.#reception.recall((command, until) => this.#api(command, until), signal)
  }

  close = async (): Promise<void> => {
    await this.#connection.close()
    await this.#noting
  }

  async #api(command: string, signal: AbortSignal): Promise<string> {
    try {
      const session = await this.#connection.session(signal)
      return await session.ask(`api ${command}`, signal)
    } catch (error) {
      if (error instanceof ProviderProblem) throw error
      throw new ProviderProblem('unreachable', 'FreeSWITCH could not be asked about the call.')
    }
  }

  #onEvent(event: EslMessage): void {
    const { headers } = event
    if (noteProgress(headers, this.calls, this.#callOf(headers))) return
    switch (headers.get('event-name')) {
      case 'BACKGROUND_JOB': {
        this.#report(jobEnd(event))
        return
      }
      case 'CHANNEL_HANGUP_COMPLETE': {
        this.calls.end(headers.get('unique-id') ?? '')
        if (isRemembered(headers)) this.#listener.look()
        else this.#report(isOurs(headers) ? hangupEnd(headers) : undefined)
        return
      }
      case 'CUSTOM':
        if (headers.get('event-subclass') === 'spandsp::rxfaxresult') this.#noteReceived(headers)
        else if (headers.get('event-subclass') === 'spandsp::txfaxresult') this.#report(resultEnd(headers, 'fax-'))
    }
  }

  #report(end: CallEnd | undefined): void {
    if (!end) return
    if (this.calls.has(end.attemptId)) this.calls.step(end.attemptId, 'ended')
    this.#listener.ended(end)
  }

  /** How a call of ours is known: by its attempt, or a received one by its UUID. */
  #callOf(headers: EslMessage['headers']): string | undefined {
    const uuid = headers.get('unique-id') ?? ''
    if (isOurs(headers)) return attemptOf(uuid)
    return this.#reception.isOurs(headers) ? uuid : undefined
  }

  /** Notes a received fax in the inbox, so that it is not lost however long it takes to record it. */
  #noteReceived(headers: EslMessage['headers']): void {
    this.#noting = this.#noting
      .then(async () => {
        if (await this.#reception.onEvent(headers)) this.#listener.look()
      })
      .catch(this.#listener.onProblem)
  }
}
