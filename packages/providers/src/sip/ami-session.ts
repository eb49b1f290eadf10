import type { Socket } from 'node:net'
import {
  connectSocket,
  EngineSilence,
  ProviderProblem,
  type ProviderSettings,
  SocketSession,
} from '@faxdeck/provider-kit'
import { AmiFrames, type AmiMessage, writeAction } from './ami-frames.ts'

const bannerShape = /^Asterisk Call Manager\//

type Headers = readonly (readonly [name: string, value: string])[]

/** One signed-in connection to Asterisk's manager interface. */
export class AmiSession extends SocketSession<AmiMessage> {
  readonly #onEvent: (event: AmiMessage) => void
  readonly #frames = new AmiFrames()
  readonly #waiting = new Map<string, (response: AmiMessage | undefined) => void>()
  #lastId = 0

  /** @param onEvent gets every event, in order */
  constructor(socket: Socket, onEvent: (event: AmiMessage) => void) {
    super('Asterisk', socket)
    this.#onEvent = onEvent
  }

  /**
   * Sends an action; its response.
   * @throws {ProviderProblem} `rejected` when a value holds a line break, `unreachable` when nothing was sent
   * @throws {EngineSilence} when it was sent and no response came
   */
  async ask(action: string, headers: Headers, signal: AbortSignal): Promise<AmiMessage> {
    const id = `faxdeck-${(this.#lastId += 1)}`
    const text = textOf([['Action', action], ['ActionID', id], ...headers])
    try {
      return await this.exchange(text, (answer) => this.#waiting.set(id, answer), signal)
    } finally {
      this.#waiting.delete(id)
    }
  }

  protected look(signal: AbortSignal): Promise<unknown> {
    return this.ask('Ping', [], signal)
  }

  protected lose(): void {
    for (const answer of this.#waiting.values()) answer(undefined)
    this.#waiting.clear()
  }

  protected read(piece: Buffer): void {
    for (const message of this.#frames.push(piece)) {
      if (message.has('event')) this.#onEvent(message)
      else this.#waiting.get(message.get('actionid') ?? '')?.(message)
    }
  }
}

function textOf(headers: Headers): string {
  try {
    return writeAction(headers)
  } catch (error) {
    throw new ProviderProblem('rejected', error instanceof Error ? error.message : String(error))
  }
}

/** The first line, which says who answers; what was read beyond it is given back to the socket. */
async function readBanner(socket: Socket, signal: AbortSignal): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>()
  let read = Buffer.alloc(0)
  const end = () => resolve(undefined)
  const more = (piece: Buffer) => {
    read = Buffer.concat([read, piece])
    const line = read.indexOf('\n')
    if (line < 0 && read.length < 1024) return
    socket.pause()
    if (line >= 0) socket.unshift(read.subarray(line + 1))
    resolve(read.toString('latin1', 0, line < 0 ? read.length : line))
  }
  socket.on('data', more).once('close', end)
  signal.addEventListener('abort', end)
  try {
    return await promise
  } finally {
    socket.off('data', more).off('close', end)
    signal.removeEventListener('abort', end)
  }
}

/**
 * Connects to Asterisk and signs in.
 * @throws {ProviderProblem} `unreachable` when Asterisk cannot be talked to, `bad_credentials` when it refuses the login
 */
export async function openAmi(
  settings: ProviderSettings,
  signal: AbortSignal,
  onEvent: (event: AmiMessage) => void = () => undefined,
): Promise<AmiSession> {
  const [user, secret] = [String(settings.ami_username ?? ''), String(settings.ami_password ?? '')]
  if (/[\r\n\0]/.test(user + secret)) {
    throw new ProviderProblem('bad_credentials', 'The AMI user or password holds a line break.')
  }
  const to = { host: String(settings.ami_host), port: Number(settings.ami_port) }
  const socket = await connectSocket('Asterisk', to, signal)
  const silent = () => new ProviderProblem('unreachable', `Asterisk at ${to.host} port ${to.port} does not answer.`)
  try {
    const banner = await readBanner(socket, signal)
    if (banner === undefined) throw silent()
    if (!bannerShape.test(banner)) {
      throw new ProviderProblem('unreachable', 'What answers there is not the manager interface of Asterisk.')
    }
    const session = new AmiSession(socket, onEvent)
    const login = [
      ['Username', user],
      ['Secret', secret],
      ['Events', 'call,user'],
    ] as const
    const answer = await session.ask('Login', login, signal)
    if (answer.get('response') !== 'Success') {
      throw new ProviderProblem('bad_credentials', 'Asterisk refused the AMI user or password.')
    }
    session.keepAlive()
    return session
  } catch (error) {
    socket.destroy()
    throw error instanceof EngineSilence ? silent() : error
  }
}
