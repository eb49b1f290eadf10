import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Job } from '../../packages/contract/src/index.ts'
import { type GatewayProcess, prepareGateway, unlimited } from '../harness/gateway-process.ts'
import { pdfFile } from '../harness/paper.ts'
import { waitFor } from '../harness/wait.ts'
import { asProgram } from './as-program.ts'
import { Carrier } from './carrier.ts'
import type { CarrierOptions } from './carrier-configuration.ts'
import type { AsteriskProgram } from './install.ts'
import { reserveUdpPort } from './udp-port.ts'

export const ownNumber = '+15551230001'

const pages = [['Page one of two.', 'Slanted rules and black bars.'], ['Page two, the last.']]

/** A gateway with a trunk and nothing else, and its carrier. */
export class ManagedLine {
  readonly gateway: GatewayProcess
  readonly carrier: Carrier
  readonly #program: { path: string; directory: string }

  private constructor(gateway: GatewayProcess, carrier: Carrier, program: { path: string; directory: string }) {
    this.gateway = gateway
    this.carrier = carrier
    this.#program = program
  }

  /**
   * Starts both and enters the trunk as the console does.
   * @param settings beyond the account
   * @param way where the gateway is to find the carrier, when it is not the carrier's own address
   */
  static async start(
    program: AsteriskProgram,
    settings: Record<string, string | number | boolean> = {},
    options: Partial<CarrierOptions> = {},
    way?: (carrier: Carrier) => Promise<string>,
  ): Promise<ManagedLine> {
    const carrier = await Carrier.start(program, options)
    const installed = asProgram(program)
    const authority: Record<string, string> = options.tls && !options.isUnknown ? { TRUNK_CA: options.tls.cert } : {}
    const env = { ...unlimited, FAX_DISABLED: 'false', TRUNK_ASTERISK: installed.path, ...authority }
    const gateway = await prepareGateway({ env })
    const line = new ManagedLine(gateway, carrier, installed)
    await gateway.start()
    const { user, password } = carrier.options
    const body = {
      backend: 'trunk',
      trunk_host: (await way?.(carrier)) ?? carrier.host,
      trunk_user: user,
      trunk_password: password,
      trunk_numbers: `${ownNumber}, +15551230002=ACME FAX`,
      trunk_bind: '127.0.0.1',
      trunk_sip_port: await reserveUdpPort(),
      trunk_media_first: 40_000 + 800 * Math.floor(Math.random() * 20),
      trunk_channels: 20,
      trunk_ring_seconds: 5,
      ...settings,
    }
    await gateway.client.updateSettings({
      body: { ...body, trunk_media_last: body.trunk_media_first + 799 },
    })
    return line
  }

  get engineDirectory(): string {
    return join(this.gateway.directory, 'lines/trunk/engine')
  }

  /** The process id of the line's own Asterisk. */
  get enginePid(): number | undefined {
    const record = join(this.engineDirectory, 'process.json')
    if (!existsSync(record)) return undefined
    const { pid } = JSON.parse(readFileSync(record, 'utf8')) as { pid: number }
    return isAlive(pid) ? pid : undefined
  }

  /** What the line's own Asterisk answers to a command of its console. */
  ask(command: string): string {
    const main = join(this.engineDirectory, 'etc/asterisk.conf')
    return spawnSync(this.#program.path, ['-C', main, '-rx', command], { encoding: 'utf8' }).stdout
  }

  /** How many channels its trunk has, waited for until it has read its dialplan anew. */
  hasChannels = (channels: number): Promise<boolean> =>
    waitFor('the number of channels', async () =>
      new RegExp(`FAXDECK_CHANNELS_\\w+=${channels}\\b`, 'i').test(this.ask('dialplan show globals'))
        ? true
        : undefined,
    )

  /** Waits until the line's own Asterisk says so. */
  registered = (): Promise<boolean> =>
    waitFor(
      'the registration',
      async () => (/\bRegistered\b/.test(this.ask('pjsip show registrations')) ? true : undefined),
      40,
    )

  async send(to: string, copies = 1): Promise<string> {
    const file = pdfFile('letter.pdf', Array.from({ length: copies }, () => pages).flat())
    return (await this.gateway.client.submitFax({ form: { to, file } })).id
  }

  async reach(id: string, what: string, is: (job: Job) => boolean, seconds = 120): Promise<Job> {
    const read = () => this.gateway.client.getJob({ params: { id } })
    return waitFor(what, async () => [await read()].find(is), seconds).catch(async (error: unknown) => {
      throw new Error(`${String(error)}\n${JSON.stringify(await read())}\n${this.log}`)
    })
  }

  /** A failed call is tried again minutes later: its first end is what counts. */
  firstEnd = (id: string): Promise<Job> =>
    this.reach(id, 'the call to be over', ({ status, error_kind }) => status === 'SUCCESS' || error_kind !== null)

  dialed = (id: string): Promise<Job> =>
    this.reach(id, 'the call to be up', ({ provider_sid }) => provider_sid !== null)

  /** The most calls that were up at the same time within so many seconds. */
  async maxCalls(seconds: number): Promise<number> {
    const until = performance.now() + seconds * 1000
    let max = 0
    while (performance.now() < until) {
      const { channels } = await this.gateway.client.getLines({})
      max = Math.max(max, channels.filter(({ phase }) => phase !== 'dialing').length)
      await sleep(500)
    }
    return max
  }

  /** Waits until no call is up. */
  quiet = (seconds = 30): Promise<boolean> =>
    waitFor(
      'the calls to be over',
      async () => ((await this.gateway.client.getLines({})).channels.length === 0 ? true : undefined),
      seconds,
    )

  get log(): string {
    const path = join(this.engineDirectory, 'log/messages')
    return `${existsSync(path) ? readFileSync(path, 'utf8').slice(-3000) : ''}\n${this.gateway.printed.slice(-3000)}`
  }

  async stop(): Promise<void> {
    // What a gateway leaves behind that is killed: its Asterisk, which the next one would take over.
    await this.gateway.kill()
    const pid = this.enginePid
    if (pid !== undefined) process.kill(pid, 'SIGKILL')
    await this.gateway.remove()
    await this.carrier.stop()
    rmSync(this.#program.directory, { recursive: true, force: true })
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
