import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Answer, Question } from './fake-provider.ts'

const program = fileURLToPath(new URL('./fake-provider.ts', import.meta.url))

/** The stand-in of a provider in a process of its own, so that it does not share the gateway's or the bench's thread. */
export class ProviderProcess {
  readonly #child: ChildProcess = fork(program)

  /** Starts it. @returns the variables with which a gateway uses it */
  async start(gatewayUrl: string): Promise<Record<string, string>> {
    const { env } = await this.#ask({ gatewayUrl })
    return env
  }

  /** What it has taken so far. */
  async taken(): Promise<Answer['taken']> {
    return (await this.#ask('taken')).taken
  }

  stop(): void {
    this.#child.kill()
  }

  async #ask(question: Question): Promise<Answer> {
    this.#child.send(question)
    const [answer] = (await once(this.#child, 'message')) as [Answer]
    return answer
  }
}
