import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type EmulatedEngine, EngineSession } from '@faxdeck/provider-kit/emulator'
import { shippedDialplan } from './checks.ts'
import type { AmiEvent, EmulatedCall } from './emulated-calls.ts'

interface Parts {
  user: string
  password: string
  engine: EmulatedEngine<EmulatedCall, AmiEvent>
  latencyMs: number
}

/** Global variables of the dialplan. */
const globals: Readonly<Record<string, string>> = { FAXDECK_DIALPLAN: shippedDialplan }

type Action = readonly (readonly [name: string, value: string])[]

/** One connection to the emulated manager interface. */
export class EmulatedAmi extends EngineSession<AmiEvent> {
  readonly #parts: Parts
  #isIn = false

  constructor(socket: Socket, parts: Parts) {
    super(socket, { greeting: 'Asterisk Call Manager/11.0.0\r\n', blank: '\r\n', latencyMs: parts.latencyMs })
    this.#parts = parts
  }

  report(event: AmiEvent): void {
    if (this.#isIn) this.#say(event)
  }

  #say(message: Readonly<Record<string, string>>): void {
    const lines = Object.entries(message).map(([name, value]) => `${name}: ${value}\r\n`)
    this.write(`${lines.join('')}\r\n`)
  }

  protected act(text: string): void | Promise<void> {
    const action = text.split('\r\n').map((line): [string, string] => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon), line.slice(colon + 1).trim()]
    })
    const value = (name: string) => action.find(([key]) => key === name)?.[1] ?? ''
    const answer = (Response: string, facts: Readonly<Record<string, string>>) =>
      this.#say({ Response, ActionID: value('ActionID'), ...facts })
    const name = value('Action')
    if (name === 'Login') {
      this.#logIn(value, answer)
      return
    }
    if (!this.#isIn) {
      answer('Error', { Message: 'Permission denied' })
      return
    }
    if (name === 'Ping') {
      answer('Success', { Ping: 'Pong' })
      return
    }
    if (name === 'Originate') return this.#originate(action, value, answer)
    if (name === 'GetVar' && value('Channel') === '') {
      answer('Success', { Variable: value('Variable'), Value: globals[value('Variable')] ?? '' })
      return
    }
    const call = this.#parts.engine.find(value('Channel'))
    if (!call) {
      answer('Error', { Message: 'No such channel' })
      return
    }
    if (name === 'GetVar') {
      answer('Success', { Variable: value('Variable'), Value: call.attemptId })
      return
    }
    if (name !== 'Hangup') {
      answer('Error', { Message: 'Invalid/unknown command' })
      return
    }
    answer('Success', { Message: 'Channel Hungup' })
    this.#parts.engine.hangUp(call.id)
  }

  #logIn(value: (name: string) => string, answer: (response: string, facts: { Message: string }) => void): void {
    const { user, password } = this.#parts
    this.#isIn = value('Username') === user && value('Secret') === password
    answer(this.#isIn ? 'Success' : 'Error', {
      Message: this.#isIn ? 'Authentication accepted' : 'Authentication failed',
    })
    if (!this.#isIn) this.socket.end()
  }

  async #originate(
    action: Action,
    value: (name: string) => string,
    answer: (response: string, facts: { Message: string }) => void,
  ): Promise<void> {
    const channel = value('Channel')
    // Its dialplan cannot be tried.
    if (channel.startsWith('Local/')) {
      answer('Error', { Message: 'Extension does not exist.' })
      return
    }
    if (channel === '') {
      answer('Error', { Message: 'Channel not specified' })
      return
    }
    const variables = action.filter(([name]) => name === 'Variable').map(([, text]) => /^(\w+)=(.*)$/.exec(text) ?? [])
    const variable = (name: string) => variables.find(([, key]) => key === name)?.[2] ?? ''
    const to = /\+?\d{3,}/.exec(channel)?.[0] ?? ''
    const { engine } = this.#parts
    const call = {
      attemptId: variable('FAXDECK_ATTEMPT'),
      id: value('ChannelId'),
      to,
      pagesPath: variable('FAXDECK_FILE'),
      result: variable('FAXDECK_RESULT'),
    }
    const plan = engine.plan(to)
    if (plan.answer === 'silence') return
    if (plan.answer === 'server_error') {
      answer('Error', { Message: 'Originate failed' })
      return
    }
    if (engine.find(call.id)) {
      answer('Error', { Message: `Channel Unique ID '${call.id}' already in use` })
      return
    }
    const success = () => answer('Success', { Message: 'Originate successfully queued' })
    if (plan.answer !== 'lost' && plan.callbacks !== 'early') success()
    await engine.dial(call, plan)
    if (plan.answer === 'lost') this.socket.destroy()
    else if (plan.callbacks === 'early') {
      await sleep(2)
      success()
    }
  }
}
