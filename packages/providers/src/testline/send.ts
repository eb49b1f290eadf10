import { resolve } from 'node:path'
import { ProviderProblem, type Host, type Line, type ProviderSettings } from '@faxdeck/provider-kit'
import { Exchange } from './exchange.ts'

const firstRetryMilliseconds = 1000
const longestRetryMilliseconds = 60_000

/** The open line of each directory in this process: a new line over the same directory takes over from the old one. */
const openLines = new Map<string, TestLine>()

/** Opens the test line. Calls that were under way when the directory was last used are taken up at once. */
export function openTestLine(host: Host, settings: ProviderSettings): Line {
  const directory = resolve(host.directory)
  const line = new TestLine(host, Number(settings.testline_seconds ?? 2), openLines.get(directory))
  openLines.set(directory, line)
  return line
}

class TestLine implements Required<Pick<Line, 'send' | 'status' | 'find' | 'cancel' | 'close'>> {
  readonly #host: Host
  readonly #seconds: number
  readonly #vacated: Promise<void>
  #exchange: Promise<Exchange>
  #retry: NodeJS.Timeout | undefined
  #closed = false

  constructor(host: Host, seconds: number, predecessor: TestLine | undefined) {
    this.#host = host
    this.#seconds = seconds
    this.#vacated = predecessor?.close() ?? Promise.resolve()
    this.#exchange = this.#open(firstRetryMilliseconds)
  }

  send: Line['send'] = async (fax, signal) => (await this.#opened()).send(fax, signal)
  status = async (providerId: string) => (await this.#opened()).status(providerId)
  find = async (attemptId: string) => (await this.#opened()).find(attemptId)
  cancel = async (providerId: string) => (await this.#opened()).cancel(providerId)

  close = async (): Promise<void> => {
    this.#closed = true
    clearTimeout(this.#retry)
    await this.#exchange.then(
      (exchange) => exchange.close(),
      () => undefined,
    )
    const directory = resolve(this.#host.directory)
    if (openLines.get(directory) === this) openLines.delete(directory)
  }

  async #opened(): Promise<Exchange> {
    try {
      return await this.#exchange
    } catch (error) {
      throw new ProviderProblem('unreachable', `The test line cannot be used now. ${reasonOf(error)}`)
    }
  }

  #open(retryAfter: number): Promise<Exchange> {
    const opening = this.#vacated.then(() => Exchange.open(this.#host, this.#seconds))
    opening.catch((error: unknown) => {
      this.#host.log.warn('The test line could not be opened and tries again.', { reason: reasonOf(error) })
      if (this.#closed) return
      const next = Math.min(2 * retryAfter, longestRetryMilliseconds)
      this.#retry = setTimeout(() => {
        this.#exchange = this.#open(next)
      }, retryAfter)
    })
    return opening
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
