import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Client, createClient, wireCalls } from '../../packages/contract/src/index.ts'
import { gatewayProcess } from '../../scripts/start/gateway-process.mjs'
import { reservePort } from '../../apps/gateway/src/testing/reserve-port.ts'

// A test run that is killed leaves no gateway behind.
const stopWithParent = new URL('../../scripts/start/stop-with-parent.mjs', import.meta.url).href
// Benches drive the gateway of another checkout as well.
const checkout = process.env.FAXDECK_CHECKOUT ?? fileURLToPath(new URL('../..', import.meta.url))
const usual = gatewayProcess(checkout)
const readyWithin = 120_000
/** What the gateway prints once it listens. */
const listens = 'Faxdeck   http'
/** A gateway that is stopped still accepts connections and answers none. */
const answerWithin = 5000
/** The gateway ends by itself within eight seconds. */
const stoppedWithin = 30_000

export interface GatewayOptions {
  /** Beyond the test line, receiving and the key, or instead of them; an empty text leaves a variable out. */
  env?: Record<string, string>
  /** Flags for Node, for example `--cpu-prof`. */
  nodeFlags?: readonly string[]
  /** Runs the sources although they are bundled. */
  fromSources?: boolean
}

/** A real gateway in a process of its own, on its own port and data directory. */
export class GatewayProcess {
  readonly url: string
  readonly key = 'e2e-bootstrap-key-0123456789abcdef'
  readonly directory = mkdtempSync(join(tmpdir(), 'faxdeck-e2e-'))
  readonly client: Client
  readonly #env: Record<string, string>
  readonly #nodeFlags: readonly string[]
  readonly #main: string
  #child: ChildProcess | undefined
  #exit: Promise<number | null> = Promise.resolve(null)
  #printed = ''

  constructor(port: number, options: GatewayOptions) {
    this.url = `http://127.0.0.1:${port}`
    this.client = createClient(wireCalls(), { baseUrl: this.url, key: () => this.key })
    this.#nodeFlags = options.nodeFlags ?? []
    this.#main = options.fromSources ? join(checkout, 'apps/gateway/src/main.ts') : usual.main
    this.#env = {
      PATH: process.env.PATH ?? '',
      HOST: '127.0.0.1',
      PORT: String(port),
      FAX_DATA_DIR: this.directory,
      FAX_DISABLED: 'true',
      INBOUND_ENABLED: 'true',
      API_KEY: this.key,
      // Recognizing the text of a page takes seconds of processor time: the short form leaves it to the tests of its own.
      ...(process.env.VITEST && !process.env.FAXDECK_LONG ? { FAX_TEXT: 'false' } : {}),
      ...options.env,
    }
  }

  get pid(): number {
    if (!this.#child?.pid) throw new Error('The gateway is not running.')
    return this.#child.pid
  }

  /** What the process has printed since it was last started. */
  get printed(): string {
    return this.#printed
  }

  /** Starts the process without waiting for anything. */
  spawn(): void {
    const env = Object.fromEntries(Object.entries(this.#env).filter(([, value]) => value !== ''))
    const args = [...usual.flags, ...this.#nodeFlags, '--import', stopWithParent, this.#main]
    const child = spawn(process.execPath, args, {
      env: { ...usual.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    this.#printed = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => (this.#printed += text))
    }
    this.#child = child
    this.#exit = once(child, 'close').then(([code]) => (typeof code === 'number' ? code : null))
  }

  /** @throws {Error} with what the gateway printed, when it ends or stays silent instead of becoming ready */
  async ready(): Promise<void> {
    const until = performance.now() + readyWithin
    while (this.#child?.exitCode === null && this.#child.signalCode === null) {
      // Until it says that it listens, every question would cost both processes time and change nothing.
      if (this.#printed.includes(listens) && (await this.#isReady())) return
      if (performance.now() > until) break
      await sleep(15)
    }
    throw new Error(`The gateway did not become ready. It printed:\n${this.#printed}`)
  }

  async #isReady(): Promise<boolean> {
    const signal = AbortSignal.timeout(answerWithin)
    return fetch(`${this.url}/health/ready`, { signal }).then(
      ({ ok }) => ok,
      () => false,
    )
  }

  async start(): Promise<void> {
    this.spawn()
    await this.ready()
  }

  /** Waits for the process to end by itself; its exit code, or null after a signal. */
  exited(): Promise<number | null> {
    return this.#exit
  }

  /**
   * Asks the process to stop, as a supervisor would.
   * @throws {Error} with what the gateway printed, when it does not end
   */
  async stop(signal: 'SIGTERM' | 'SIGINT' = 'SIGTERM'): Promise<number | null> {
    this.#child?.kill(signal)
    const late = sleep(stoppedWithin, 'late' as const, { ref: false })
    const code = await Promise.race([this.#exit, late])
    if (code !== 'late') return code
    throw new Error(`The gateway did not stop after ${signal}. It printed:\n${this.#printed}`)
  }

  /** Ends the process as a power cut would: no handler runs. */
  async kill(): Promise<void> {
    this.#child?.kill('SIGKILL')
    await this.#exit
  }

  /** Ends the process and removes its data. */
  async remove(): Promise<void> {
    await this.kill()
    rmSync(this.directory, { recursive: true, force: true })
  }
}

/** Prepares a gateway on a port of its own without starting it. */
export async function prepareGateway(options: GatewayOptions = {}): Promise<GatewayProcess> {
  return new GatewayProcess(await reservePort(), options)
}

/** Starts a gateway on a port of its own and waits until it is ready. */
export async function startGateway(options: GatewayOptions = {}): Promise<GatewayProcess> {
  const gateway = await prepareGateway(options)
  try {
    await gateway.start()
  } catch (error) {
    await gateway.remove()
    throw error
  }
  return gateway
}

/** Environment without rate limits, for loads that one key makes alone. */
export const unlimited = { MAX_REQUESTS_PER_MINUTE: '0', INBOUND_LIST_RPM: '0', INBOUND_GET_RPM: '0' }
