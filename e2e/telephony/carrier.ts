import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { realTimePrefix } from '../../packages/providers/src/trunk/process/real-time.ts'
import { openAmi } from '../../packages/providers/src/sip/ami-session.ts'
import { findProgram } from '../../scripts/find-browser.mjs'
import { reservePort } from '../../apps/gateway/src/testing/reserve-port.ts'
import { waitFor } from '../harness/wait.ts'
import { type CarrierOptions, configureCarrier } from './carrier-configuration.ts'
import type { AsteriskProgram } from './install.ts'
import { reserveUdpPort } from './udp-port.ts'

/** What a fax machine behind the carrier has of a fax. */
export interface AtCarrier {
  to: string
  from: string
  tiff: Buffer
}

/** A carrier: a second Asterisk, with a registrar, numbers that misbehave, and fax machines under all others. */
export class Carrier {
  readonly options: CarrierOptions
  readonly #program: AsteriskProgram
  #child: ChildProcess | undefined

  private constructor(options: CarrierOptions, program: AsteriskProgram) {
    this.options = options
    this.#program = program
  }

  static async start(program: AsteriskProgram, given: Partial<CarrierOptions> = {}): Promise<Carrier> {
    const options: CarrierOptions = {
      directory: mkdtempSync(join(tmpdir(), 'faxdeck-carrier-')),
      amiPort: await reservePort(),
      sipPort: await reserveUdpPort(),
      mediaPort: 30_000 + 600 * Math.floor(Math.random() * 15),
      user: 'customer',
      password: 'p;a#s[s${x}=>w',
      ...given,
    }
    const carrier = new Carrier(options, program)
    await carrier.up()
    return carrier
  }

  get host(): string {
    return `127.0.0.1:${this.options.sipPort}`
  }

  get log(): string {
    const path = join(this.options.directory, 'log/full')
    return existsSync(path) ? readFileSync(path, 'utf8') : ''
  }

  /** Starts it, with another configuration if one is given. */
  async up(change: Partial<CarrierOptions> = {}): Promise<void> {
    Object.assign(this.options, change)
    const [command = '', ...args] = [...dieWithParent(), ...(await realTimePrefix()), ...this.#program.command]
    this.#child = spawn(command, [...args, '-f', '-C', configureCarrier(this.options, this.#program)], {
      stdio: 'ignore',
      env: { LC_ALL: 'C', HOME: this.options.directory },
    })
    await waitFor('the carrier to be up', async () => {
      await this.ask('Ping').catch(() => undefined)
      return this.log.includes('Asterisk Ready') ? true : undefined
    })
  }

  /** The carrier goes away, and its log with it. */
  async down(): Promise<void> {
    if (this.#child?.exitCode === null && this.#child.signalCode === null) {
      this.#child.kill('SIGKILL')
      await once(this.#child, 'exit')
    }
    rmSync(join(this.options.directory, 'log/full'), { force: true })
  }

  async stop(): Promise<void> {
    await this.down()
    rmSync(this.options.directory, { recursive: true, force: true })
  }

  async ask(action: string, headers: readonly (readonly [string, string])[] = []): Promise<void> {
    const settings = {
      ami_host: '127.0.0.1',
      ami_port: this.options.amiPort,
      ami_username: 'test',
      ami_password: 'test',
    }
    const session = await openAmi(settings, AbortSignal.timeout(10_000))
    const answer = await session.ask(action, headers, AbortSignal.timeout(10_000)).finally(() => session.end())
    if (answer.get('response') !== 'Success') throw new Error(`The carrier refused ${action}: ${answer.get('message')}`)
  }

  /** A fax machine in the public network calls a number of the customer. */
  async sendFax(to: string, tiff: string, from = '+15558880003'): Promise<void> {
    const { user, customer } = this.options
    await this.ask('Originate', [
      ['Channel', `PJSIP/${to}@${customer === undefined ? user : 'customer-by-address'}`],
      ['CallerID', `<${from}>`],
      ['Context', 'send'],
      ['Exten', 'send'],
      ['Priority', '1'],
      ['Async', 'true'],
      ['Variable', `FAX_FILE=${tiff},STATION=${from}`],
    ])
  }

  /** The stations whose faxes to the customer were confirmed to them, in the words of their own fax engine. */
  get confirmedStations(): string[] {
    const path = join(this.options.directory, 'received/sent')
    const rows = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : []
    return rows.filter((row) => row.includes(' SUCCESS ')).map((row) => row.split(' ')[0] ?? '')
  }

  /** What arrived under a number. */
  received(number: string): AtCarrier[] {
    const folder = join(this.options.directory, 'received')
    return readdirSync(folder)
      .filter((name) => name.startsWith(`${number.replace('+', '')}_`) && name.endsWith('.tif'))
      .map((name) => ({ to: number, from: name.split('_')[1] ?? '', tiff: readFileSync(join(folder, name)) }))
  }

  /** What the fax machine under a number noted of each of its calls. */
  callsOf(number: string) {
    const path = join(this.options.directory, 'received/log')
    const rows = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : []
    const own = rows.filter((row) => row.startsWith(`${number.replace('+', '')} `))
    return own.map((row) => {
      const [, , status, pages, mode, speed, secured, ...station] = row.split(' ')
      return { status, pages: Number(pages), mode, speed: Number(speed), secured, station: station.join(' ') }
    })
  }

  /** Somebody in the public network calls a number of the customer, and no fax comes of it. */
  async call(number: string): Promise<void> {
    await this.ask('Originate', [
      ['Channel', `Local/${number}@customer`],
      ['Application', 'Wait'],
      ['Data', '1'],
      ['Async', 'true'],
    ])
  }

  /** How the last call to a number of the customer ended, in the word of the carrier's call detail record. */
  ending(number: string): Promise<string> {
    const path = join(this.options.directory, 'log/cdr-csv/Master.csv')
    return waitFor('the record of the call', async () => {
      const rows = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : []
      const row = rows.findLast((each) => each.includes(`,"${number}",`))
      return /"(ANSWERED|BUSY|NO ANSWER|FAILED|CONGESTION)"/.exec(row ?? '')?.[1]
    })
  }

  /** How often a number was called. */
  callsTo(number: string): number {
    return this.log.match(new RegExp(`Executing \\[\\${number}@customer:1\\]`, 'g'))?.length ?? 0
  }
}

/** A test run that is killed leaves no Asterisk behind, where util-linux can see to it. */
function dieWithParent(): string[] {
  const setpriv = findProgram('setpriv')
  return setpriv ? [setpriv, '--pdeathsig', 'KILL'] : []
}
