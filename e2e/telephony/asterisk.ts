import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openAmi } from '../../packages/providers/src/sip/ami-session.ts'
import { findProgram } from '../../scripts/find-browser.mjs'
import { configureAsterisk, type Exchange } from './configuration.ts'
import type { AsteriskProgram } from './install.ts'
import { reserveUdpPort } from './udp-port.ts'

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
      sipPort: await reserveUdpPort(),
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

  /** How many pages the machine under a number has so far. */
  pagesAt(number: string): number {
    const inbox = join(this.exchange.gateway.folder, 'inbox')
    const name = readdirSync(inbox).find((file) => file.includes(`_${number}_`) && file.endsWith('.tif'))
    return name === undefined ? 0 : countPages(readFileSync(join(inbox, name)))
  }

  /** Tears the line of the machine that receives under a number. */
  async cutOff(number: string): Promise<void> {
    const channel = new RegExp(`Channel '([^']+)' receiving FAX '[^']*_\\${number}_`).exec(this.log)?.[1]
    if (channel === undefined) throw new Error('Nobody receives under that number.')
    await this.#ask('Hangup', [['Channel', channel]])
  }

  /** A person calls a number, listens for a moment, and hangs up. */
  async callByVoice(number: string, from: string): Promise<void> {
    await this.#ask('Originate', [
      ['Channel', `PJSIP/${number}@trunk`],
      ['CallerID', `<${from}>`],
      ['Application', 'Wait'],
      ['Data', '1'],
      ['Async', 'true'],
    ])
  }

  async #ask(action: string, headers: readonly (readonly [string, string])[]): Promise<void> {
    const { amiPort, password } = this.exchange
    const settings = { ami_host: '127.0.0.1', ami_port: amiPort, ami_username: 'faxdeck', ami_password: password }
    const session = await openAmi(settings, AbortSignal.timeout(10_000))
    const answer = await session.ask(action, headers, AbortSignal.timeout(10_000))
    session.end()
    if (answer.get('response') !== 'Success') throw new Error(`Asterisk refused ${action}: ${answer.get('message')}`)
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

/** The directories of a TIFF that is being written (TIFF 6.0, section 2), each of which ends a page. */
function countPages(tiff: Buffer): number {
  let pages = 0
  let at = tiff.length < 8 ? 0 : tiff.readUInt32LE(4)
  while (at > 0 && at + 2 <= tiff.length) {
    const next = at + 2 + 12 * tiff.readUInt16LE(at)
    if (next + 4 > tiff.length) break
    pages += 1
    at = tiff.readUInt32LE(next)
  }
  return pages
}

/** A test run that is killed leaves no Asterisk behind, where util-linux can see to it. */
function dieWithParent(): string[] {
  const setpriv = findProgram('setpriv')
  return setpriv ? [setpriv, '--pdeathsig', 'KILL'] : []
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
