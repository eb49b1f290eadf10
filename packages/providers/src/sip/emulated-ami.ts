import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { shippedDialplan } from './checks.ts'
import type { AmiEvent, EmulatedCalls } from './emulated-calls.ts'

interface Parts {
  user: string
  password: string
  calls: EmulatedCalls
  latencyMs: number
}

/** Global variables of the dialplan. */
const globals: Readonly<Record<string, string>> = { FAXDECK_DIALPLAN: shippedDialplan }

type Action = readonly (readonly [name: string, value: string])[]

/** One connection to the emulated manager interface. Every message travels in two pieces, as it may on a real network. */
export class EmulatedAmi {
  readonly #socket: Socket
  readonly #parts: Parts
  #isIn = false
  #unread = ''
  #work = Promise.resolve()

  constructor(socket: Socket, parts: Parts) {
    this.#socket = socket
    this.#parts = parts
    socket.setNoDelay(true)
    socket.on('error', () => undefined)
    socket.on('data', (piece: Buffer) => this.#read(piece.toString('utf8')))
    socket.write('Asterisk Call Manager/11.0.0\r\n')
  }

  close(): void {
    this.#socket.destroy()
  }

  report(event: AmiEvent): void {
    if (this.#isIn) this.#write(event)
  }

  #write(message: Readonly<Record<string, string>>): void {
    const lines = Object.entries(message).map(([name, value]) => `${name}: ${value}\r\n`)
    const text = `${lines.join('')}\r\n`
    const middle = text.length >> 1
    this.#socket.write(text.slice(0, middle))
    this.#socket.write(text.slice(middle))
  }

  #read(piece: string): void {
    this.#unread += piece
    const parts = this.#unread.split('\r\n\r\n')
    this.#unread = parts.pop() ?? ''
    for (const part of parts) {
      const action = part.split('\r\n').map((line): [string, string] => {
        const colon = line.indexOf(':')
        return [line.slice(0, colon), line.slice(colon + 1).trim()]
      })
      this.#work = this.#work.then(() => this.#act(action))
    }
  }

  async #act(action: Action): Promise<void> {
    const value = (name: string) => action.find(([key]) => key === name)?.[1] ?? ''
    const answer = (Response: string, facts: Readonly<Record<string, string>>) =>
      this.#write({ Response, ActionID: value('ActionID'), ...facts })
    await sleep(this.#parts.latencyMs)
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
    const call = this.#parts.calls.find(value('Channel'))
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
    this.#parts.calls.hangUp(call)
  }

  #logIn(value: (name: string) => string, answer: (response: string, facts: { Message: string }) => void): void {
    const { user, password } = this.#parts
    this.#isIn = value('Username') === user && value('Secret') === password
    answer(this.#isIn ? 'Success' : 'Error', {
      Message: this.#isIn ? 'Authentication accepted' : 'Authentication failed',
    })
    if (!this.#isIn) this.#socket.end()
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
    const { calls } = this.#parts
    const call = {
      attemptId: variable('FAXDECK_ATTEMPT'),
      providerId: value('ChannelId'),
      to,
      pages: variable('FAXDECK_FILE'),
      result: variable('FAXDECK_RESULT'),
    }
    const plan = calls.plan(to)
    if (plan.answer === 'silence') return
    if (plan.answer === 'server_error') {
      answer('Error', { Message: 'Originate failed' })
      return
    }
    if (calls.find(call.providerId)) {
      answer('Error', { Message: `Channel Unique ID '${call.providerId}' already in use` })
      return
    }
    const success = () => answer('Success', { Message: 'Originate successfully queued' })
    if (plan.answer !== 'lost' && plan.callbacks !== 'early') success()
    await calls.dial(call, plan)
    if (plan.answer === 'lost') this.#socket.destroy()
    else if (plan.callbacks === 'early') {
      await sleep(2)
      success()
    }
  }
}
