import type { Socket } from 'node:net'
import {
  connectSocket,
  EngineSilence,
  ProviderProblem,
  type ProviderSettings,
  SocketSession,
} from '@faxdeck/provider-kit'
import { phaseEvents } from './call-facts.ts'
import { EslFrames, type EslMessage, readEvent } from './esl-frames.ts'

/** Everything after CUSTOM is read as a subclass, so it stands last. */
const subscription = `event plain BACKGROUND_JOB CHANNEL_ANSWER CHANNEL_HANGUP_COMPLETE CUSTOM spandsp::txfaxresult spandsp::rxfaxresult ${phaseEvents}`

type Waiter = (message: EslMessage | undefined) => void

/** One signed-in connection to FreeSWITCH's event socket. */
export class EslSession extends SocketSession<EslMessage> {
  readonly #onEvent: (event: EslMessage) => void
  readonly #frames = new EslFrames()
  /** Replies come in the order of the commands. One that comes after its time is over still stands in its place. */
  readonly #waiting: Waiter[] = []
  readonly #greeting = Promise.withResolvers<EslMessage | undefined>()

  /** @param onEvent gets every event, in order */
  constructor(socket: Socket, onEvent: (event: EslMessage) => void) {
    super('FreeSWITCH', socket)
    this.#onEvent = onEvent
  }

  /** What FreeSWITCH says first; undefined when it hangs up instead, or the signal ends. */
  async greeting(signal: AbortSignal): Promise<EslMessage | undefined> {
    const giveUp = () => this.#greeting.resolve(undefined)
    signal.addEventListener('abort', giveUp)
    return this.#greeting.promise.finally(() => signal.removeEventListener('abort', giveUp))
  }

  /**
   * Sends a command; its reply: the body of an API command, otherwise the reply text.
   * @param more further header lines
   * @throws {ProviderProblem} `rejected` when a line holds a line break, `unreachable` when nothing was sent
   * @throws {EngineSilence} when it was sent and no reply came
   */
  async ask(command: string, signal: AbortSignal, more: readonly string[] = []): Promise<string> {
    const lines = [command, ...more]
    if (lines.some((line) => line === '' || /[\r\n\0]/.test(line))) {
      throw new ProviderProblem('rejected', 'A value for FreeSWITCH holds a line break.')
    }
    const message = await this.exchange(`${lines.join('\n')}\n\n`, (answer) => this.#waiting.push(answer), signal)
    const type = message.headers.get('content-type')
    return (type === 'api/response' ? message.body : (message.headers.get('reply-text') ?? '')).trim()
  }

  protected look(signal: AbortSignal): Promise<unknown> {
    return this.ask('api uptime', signal)
  }

  protected lose(): void {
    this.#greeting.resolve(undefined)
    for (const answer of this.#waiting.splice(0)) answer(undefined)
  }

  protected read(piece: Buffer): void {
    for (const message of this.#frames.push(piece)) this.#sort(message)
  }

  #sort(message: EslMessage): void {
    switch (message.headers.get('content-type')) {
      case 'command/reply':
      case 'api/response':
        return this.#waiting.shift()?.(message)
      case 'text/event-plain': {
        this.#onEvent(readEvent(message.body))
        return
      }
      case 'text/disconnect-notice': {
        this.end()
        return
      }
      default: {
        this.#greeting.resolve(message)
        return
      }
    }
  }
}

/**
 * Connects to FreeSWITCH, signs in and subscribes to what happens to faxes.
 * @throws {ProviderProblem} `unreachable` when it cannot be talked to, `bad_credentials` when it refuses the password
 */
export async function openEsl(
  settings: ProviderSettings,
  signal: AbortSignal,
  onEvent: (event: EslMessage) => void = () => undefined,
): Promise<EslSession> {
  const password = String(settings.freeswitch_esl_password ?? '')
  if (/[\r\n\0]/.test(password)) {
    throw new ProviderProblem('bad_credentials', 'The ESL password holds a line break.')
  }
  const to = { host: String(settings.freeswitch_esl_host), port: Number(settings.freeswitch_esl_port) }
  const session = new EslSession(await connectSocket('FreeSWITCH', to, signal), onEvent)
  try {
    await signIn(session, password, signal)
    session.keepAlive()
    return session
  } catch (error) {
    session.end()
    if (!(error instanceof EngineSilence)) throw error
    throw new ProviderProblem('unreachable', `FreeSWITCH at ${to.host} port ${to.port} does not answer.`)
  }
}

async function signIn(session: EslSession, password: string, signal: AbortSignal): Promise<void> {
  const greeting = await session.greeting(signal)
  if (!greeting) throw new EngineSilence('FreeSWITCH sent no greeting.')
  const type = greeting.headers.get('content-type')
  if (type === 'text/rude-rejection') {
    const sentence = 'FreeSWITCH turned this machine away: its access list does not permit it.'
    throw new ProviderProblem('unreachable', sentence)
  }
  if (type !== 'auth/request') {
    throw new ProviderProblem('unreachable', 'What answers there is not the event socket of FreeSWITCH.')
  }
  const answer = await session.ask(`auth ${password}`, signal)
  if (!answer.startsWith('+OK')) throw new ProviderProblem('bad_credentials', 'FreeSWITCH refused the ESL password.')
  const subscribed = await session.ask(subscription, signal)
  if (subscribed.startsWith('+OK')) return
  throw new ProviderProblem('rejected', 'FreeSWITCH reports no fax events. Is mod_spandsp loaded?')
}
