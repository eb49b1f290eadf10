import { access } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type CallEnd,
  type Engine,
  type EngineEars,
  EngineSilence,
  type OutgoingFax,
  ProviderProblem,
  type ProviderSettings,
  type Spool,
  StandingConnection,
} from '@faxdeck/provider-kit'
import { countOf } from './call-result.ts'
import type { EslMessage } from './esl-frames.ts'
import { type EslSession, openEsl } from './esl-session.ts'
import { attemptOf, noteOf, originateCommand, uuidOf } from './originate.ts'
import { hangupEnd, isOurs, jobEnd, notedEnd, resultEnd } from './told-ends.ts'

/** FreeSWITCH, over its event socket. */
export class FreeswitchEngine implements Engine {
  readonly name = 'FreeSWITCH'
  readonly providerIdOf = uuidOf
  readonly attemptOf = attemptOf
  readonly #settings: ProviderSettings
  readonly #spool: Spool
  readonly #ears: EngineEars
  readonly #connection: StandingConnection<EslSession>
  #noting: Promise<void> = Promise.resolve()

  constructor(settings: ProviderSettings, spool: Spool, ears: EngineEars) {
    this.#settings = settings
    this.#spool = spool
    this.#ears = ears
    this.#connection = new StandingConnection({
      open: (signal) => openEsl(settings, signal, (event) => this.#hear(event)),
      onOpen: ears.look,
      onTrouble: ears.trouble,
    })
    this.#connection.start()
  }

  dial = async (fax: OutgoingFax, handOver: () => Promise<string>, signal: AbortSignal): Promise<void> => {
    const command = originateCommand(fax, this.#settings, this.#spool.pagesPath(fax.attemptId))
    const session = await this.#connection.session(signal)
    await handOver()
    const job = [`Job-UUID: ${uuidOf(fax.attemptId)}`]
    const reply = await session.ask(`bgapi ${command}`, signal, job).catch((error: unknown) => {
      if (!(error instanceof EngineSilence)) throw error
      throw new ProviderProblem('uncertain', 'The connection to FreeSWITCH broke while the fax was handed over.')
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

  #hear(event: EslMessage): void {
    const { headers } = event
    switch (headers.get('event-name')) {
      case 'BACKGROUND_JOB': {
        this.#tell(jobEnd(event))
        return
      }
      case 'CHANNEL_HANGUP_COMPLETE': {
        this.#tell(isOurs(headers) ? hangupEnd(headers) : undefined)
        return
      }
      case 'CUSTOM':
        if (headers.get('event-subclass') === 'spandsp::rxfaxresult') this.#noteReceived(headers)
        else if (headers.get('event-subclass') === 'spandsp::txfaxresult') this.#tell(resultEnd(headers, 'fax-'))
    }
  }

  #tell(end: CallEnd | undefined): void {
    if (end) this.#ears.ended(end)
  }

  /** Notes a received fax beside its pages, so that it is not lost however long it takes to record it. */
  #noteReceived(headers: EslMessage['headers']): void {
    const uuid = headers.get('unique-id') ?? ''
    if (attemptOf(uuid) === undefined) return
    const pages = join(this.#spool.inbox, `${uuid}.tif`)
    const success = headers.get('fax-success') === '1'
    const note = {
      tiff_path: pages,
      uniqueid: uuid,
      to_number: dialable(headers.get('variable_sip_to_user') ?? headers.get('caller-destination-number')),
      from_number: dialable(headers.get('caller-caller-id-number')),
      faxstatus: success ? 'SUCCESS' : 'FAILED',
      faxpages: countOf(headers.get('fax-document-transferred-pages')),
      faxerror: success ? '' : (headers.get('fax-result-text') ?? ''),
    }
    this.#noting = this.#noting
      .then(async () => {
        // Pages that another part of the dialplan received elsewhere are none of ours.
        await access(pages)
        await this.#spool.writeNote(`${uuid}.tif.json`, JSON.stringify(note))
        this.#ears.look()
      })
      .catch((error: unknown) => {
        if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) this.#ears.trouble(error)
      })
  }
}

const dialable = (number: string | undefined) => (number ?? '').replace(/[^+\d]/g, '').slice(0, 20)
