import { type ChildProcess, spawn } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findProgram } from '../../scripts/find-browser.mjs'
import { configureAsterisk, type Exchange } from './configuration.ts'
import type { AsteriskProgram } from './install.ts'

const readyWithinMs = 30_000

/** An Asterisk of its own: own folder, own ports, ended by its process id. */
export class Asterisk {
  readonly exchange: Exchange
  readonly #child: ChildProcess
  #printed = ''

  private constructor(exchange: Exchange, child: ChildProcess) {
    this.exchange = exchange
    this.#child = child
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => (this.#printed = (this.#printed + text).slice(-4000)))
  }

  /** Starts one whose dialplan speaks to a gateway. @throws {Error} with what it printed, when it does not come up */
  static async start(program: AsteriskProgram, given: Pick<Exchange, 'amiPort' | 'gateway'>): Promise<Asterisk> {
    const exchange: Exchange = {
      directory: mkdtempSync(join(tmpdir(), 'faxdeck-asterisk-')),
      sipPort: await findFreeUdpPort(),
      mediaPort: 20_000 + 2 * Math.floor(Math.random() * 9000),
      password: 'a-password-for-this-test-alone',
      ...given,
    }
    const [command = '', ...args] = [...dieWithParent(), ...program.command]
    const main = configureAsterisk(exchange, program)
    const child = spawn(command, [...args, '-f', '-C', main], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { LC_ALL: 'C', HOME: exchange.directory },
    })
    const asterisk = new Asterisk(exchange, child)
    await asterisk.#ready().catch(async (error: unknown) => {
      await asterisk.stop()
      throw error
    })
    return asterisk
  }

  /** What it wrote about itself, for a failed test. */
  get log(): string {
    const path = join(this.exchange.directory, 'log/full')
    return existsSync(path) ? readFileSync(path, 'utf8') : ''
  }

  /** Ends it and removes what it wrote. */
  async stop(): Promise<void> {
    if (this.#isUp) {
      this.#child.kill('SIGTERM')
      const killer = setTimeout(() => this.#child.kill('SIGKILL'), 5000)
      await once(this.#child, 'close')
      clearTimeout(killer)
    }
    rmSync(this.exchange.directory, { recursive: true, force: true })
  }

  get #isUp(): boolean {
    return this.#child.pid !== undefined && this.#child.exitCode === null && this.#child.signalCode === null
  }

  async #ready(): Promise<void> {
    const until = performance.now() + readyWithinMs
    while (this.#isUp && performance.now() < until) {
      if ((await answers(this.exchange.amiPort)) && this.log.includes('Asterisk Ready')) return
      await sleep(50)
    }
    throw new Error(`Asterisk did not come up. It printed:\n${this.#printed}`)
  }
}

/** A test run that is killed leaves no Asterisk behind, where util-linux can see to it. */
function dieWithParent(): string[] {
  const setpriv = findProgram('setpriv')
  return setpriv ? [setpriv, '--pdeathsig', 'KILL'] : []
}

async function findFreeUdpPort(): Promise<number> {
  const socket = createSocket('udp4').bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const { port } = socket.address()
  socket.close()
  return port
}

async function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
