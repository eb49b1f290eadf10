import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import { type EmulatedEngine, EngineSession } from '@faxdeck/provider-kit/emulator'
import { shippedDialplan } from '../received.ts'
import type { EmulatedCall, EmulatedEvent } from './emulated-calls.ts'
import type { EmulatedDb } from './emulated-db.ts'

interface Parts {
  password: string
  gateway: string
  engine: EmulatedEngine<EmulatedCall, EmulatedEvent>
  db: EmulatedDb
  latencyMs: number
}

const farewell = 'Disconnected, goodbye.\nSee you at ClueCon! http://www.cluecon.com/\n'

/** One connection to the emulated event socket. */
export class EmulatedEsl extends EngineSession<EmulatedEvent> {
  readonly #parts: Parts
  #isIn = false
  #listens = false

  constructor(socket: Socket, parts: Parts) {
    super(socket, { greeting: 'Content-Type: auth/request\n\n', blank: '\n', latencyMs: parts.latencyMs })
    this.#parts = parts
  }

  report({ headers, body }: EmulatedEvent): void {
    if (!this.#listens) return
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${encodeURIComponent(value)}\n`)
    const own = body === undefined ? '' : `Content-Length: ${Buffer.byteLength(body)}\n`
    const text = `${lines.join('')}${own}\n${body ?? ''}`
    this.write(`Content-Length: ${Buffer.byteLength(text)}\nContent-Type: text/event-plain\n\n${text}`)
  }

  #reply(text: string): void {
    this.write(`Content-Type: command/reply\nReply-Text: ${text}\n\n`)
  }

  protected async act(text: string): Promise<void> {
    const [command = '', ...more] = text.split('\n')
    const [, verb = '', rest = ''] = /^(\S+) ?(.*)$/.exec(command) ?? []
    if (verb === 'auth') {
      this.#logIn(rest)
      return
    }
    if (!this.#isIn) {
      this.#reply('-ERR command not found')
      return
    }
    if (verb === 'event') {
      this.#listens = true
      this.#reply('+OK event listener enabled plain')
      return
    }
    if (verb === 'api') {
      this.#api(rest)
      return
    }
    if (verb !== 'bgapi') {
      this.#reply('-ERR command not found')
      return
    }
    await this.#background(rest, /^Job-UUID: (\S+)$/.exec(more[0] ?? '')?.[1] ?? randomUUID())
  }

  #logIn(password: string): void {
    this.#isIn = password === this.#parts.password
    this.#reply(this.#isIn ? '+OK accepted' : '-ERR invalid')
    if (this.#isIn) return
    this.socket.end(
      `Content-Type: text/disconnect-notice\nContent-Length: ${Buffer.byteLength(farewell)}\n\n${farewell}`,
    )
  }

  #api(command: string): void {
    const { engine, db, gateway } = this.#parts
    const [verb = '', uuid = ''] = command.split(' ')
    let body = '-ERR command not found\n'
    if (verb === 'uptime') body = '42\n'
    if (verb === 'module_exists') body = String(['mod_db', 'mod_tone_stream'].includes(uuid))
    if (verb === 'global_getvar' && uuid === 'faxdeck_dialplan') body = shippedDialplan
    if (verb === 'xml_locate') body = '<configuration name="lua.conf"/>'
    if (verb === 'system') body = command.split(' && echo ')[1] ?? ''
    if (verb === 'db') body = db.run(uuid)
    if (verb === 'uuid_exists') body = String(engine.find(uuid) !== undefined)
    if (verb === 'uuid_kill') body = engine.find(uuid) ? '+OK\n' : '-ERR No such channel!\n'
    if (command.startsWith('sofia xmlstatus gateway ')) {
      body = command.endsWith(` ${gateway}`) ? '<gateway>\n</gateway>\n' : 'Invalid Gateway!\n'
    }
    this.write(`Content-Type: api/response\nContent-Length: ${Buffer.byteLength(body)}\n\n${body}`)
    if (verb === 'uuid_kill') engine.hangUp(uuid)
  }

  async #background(command: string, job: string): Promise<void> {
    const { engine, gateway } = this.#parts
    const accepted = () =>
      this.write(`Content-Type: command/reply\nReply-Text: +OK Job-UUID: ${job}\nJob-UUID: ${job}\n\n`)
    const parts = /^originate \{(.*)\}sofia\/gateway\/([\w.-]+)\/(\+?\d+) &txfax\((.+)\)$/.exec(command)
    const [, set = '', through = '', to = '', pagesPath = ''] = parts ?? []
    const pairs = [...set.matchAll(/(\w+)='?([^',]*)'?/g)].map(([, name = '', value = '']) => [name, value] as const)
    // A value that names a variable is refused, unless the dial string says that it may.
    const mayNest = command.includes('origination_nested_vars=true')
    const variables = Object.fromEntries(pairs.filter(([, value]) => mayNest || !value.includes('${')))
    const fail = (words: string) =>
      this.report({ headers: { 'Event-Name': 'BACKGROUND_JOB', 'Job-UUID': job }, body: `-ERR ${words}\n` })
    if (!parts || through !== gateway) {
      accepted()
      fail(parts ? 'INVALID_GATEWAY' : 'USAGE')
      return
    }
    const plan = engine.plan(to)
    if (plan.answer === 'silence') return
    if (plan.answer === 'server_error') {
      this.#reply('-ERR no reply')
      return
    }
    const call = { id: variables.origination_uuid ?? job, to, pagesPath, variables }
    if (plan.answer !== 'lost') accepted()
    await engine.dial(call, plan)
    if (plan.answer === 'lost') this.socket.destroy()
  }
}
