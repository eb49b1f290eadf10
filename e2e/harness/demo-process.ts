import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { waitFor } from './wait.ts'

const script = fileURLToPath(new URL('../../scripts/demo.mjs', import.meta.url))
const stopWithParent = new URL('../../scripts/start/stop-with-parent.mjs', import.meta.url).href

/** The demo as `npm run demo` starts it. */
export class DemoProcess {
  readonly #child: ChildProcess
  readonly #exit: Promise<number | null>
  #printed = ''

  constructor() {
    const args = ['--import', stopWithParent, script]
    this.#child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => (this.#printed += text))
    }
    this.#exit = once(this.#child, 'close').then(([code]) => (typeof code === 'number' ? code : null))
  }

  /**
   * The address it prints once it is built and serves.
   * @throws {Error} with what it printed, when it ends instead
   */
  address(): Promise<string> {
    const asked = waitFor(
      'the address of the demo',
      async () => /http:\/\/127\.0\.0\.1:\d+\/admin-demo\//.exec(this.#printed)?.[0],
      100,
    )
    const ended = this.#exit.then((code) => {
      throw new Error(`The demo ended with ${code}. It printed:\n${this.#printed}`)
    })
    return Promise.race([asked, ended])
  }

  /** Ends it as Ctrl-C does; its exit code, or null after a signal. */
  stop(): Promise<number | null> {
    this.#child.kill('SIGINT')
    return this.#exit
  }
}
