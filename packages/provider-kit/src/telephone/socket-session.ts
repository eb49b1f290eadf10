import type { Socket } from 'node:net'
import { ProviderProblem } from '../provider.ts'
import { EngineSilence } from './session-checks.ts'
import type { Session } from './standing-connection.ts'

const lookEveryMs = 20_000
const lookTimeoutMs = 10_000

/** A talk with a telephone engine over a socket, which ends when the engine hangs up, falls silent or talks nonsense. */
export abstract class SocketSession<Message> implements Session {
  readonly ended: Promise<void>
  readonly #name: string
  readonly #socket: Socket
  #looker: NodeJS.Timeout | undefined

  /** @param name the engine's name, for people */
  constructor(name: string, socket: Socket) {
    this.#name = name
    this.#socket = socket
    this.ended = new Promise((resolve) => {
      socket.once('close', () => {
        clearInterval(this.#looker)
        this.lose()
        resolve()
      })
    })
    socket.on('data', (piece: Buffer) => {
      try {
        this.read(piece)
      } catch {
        this.end()
      }
    })
    // The other side will say nothing more.
    socket.once('end', () => this.end())
    socket.resume()
  }

  /** Takes what arrived. @throws for what no engine says */
  protected abstract read(piece: Buffer): void
  /** Nothing more arrives: answers everybody who waits with undefined. */
  protected abstract lose(): void
  /** Asks for a sign of life. */
  protected abstract look(signal: AbortSignal): Promise<unknown>

  end(): void {
    this.#socket.destroy()
  }

  /** Asks for a sign of life from now on, and ends the session when none comes. */
  keepAlive(): void {
    this.#looker = setInterval(() => {
      this.look(AbortSignal.timeout(lookTimeoutMs)).catch(() => this.end())
    }, lookEveryMs)
    this.#looker.unref()
  }

  /**
   * Sends a text; the message that answers it.
   * @param expect is given what to call with that message
   * @throws {ProviderProblem} `unreachable` when nothing was sent
   * @throws {EngineSilence} when it was sent and no answer came
   */
  protected async exchange(
    text: string,
    expect: (answer: (message: Message | undefined) => void) => void,
    signal: AbortSignal,
  ): Promise<Message> {
    if (signal.aborted || this.#socket.destroyed || !this.#socket.writable) {
      const sentence = `The connection to ${this.#name} was lost before anything was sent.`
      throw new ProviderProblem('unreachable', sentence)
    }
    const { promise, resolve } = Promise.withResolvers<Message | undefined>()
    const giveUp = () => resolve(undefined)
    signal.addEventListener('abort', giveUp)
    expect(resolve)
    this.#socket.write(text)
    const message = await promise.finally(() => signal.removeEventListener('abort', giveUp))
    if (message === undefined) throw new EngineSilence(`${this.#name} did not answer.`)
    return message
  }
}
