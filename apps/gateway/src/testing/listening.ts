import type { FaxAccess, Scope } from '@faxdeck/contract'
import { onTestFinished } from 'vitest'
import { startGateway } from './start-gateway.ts'

/** What a caller is answered, as it stands on the wire. */
export interface Answer {
  status: number
  headers: Headers
  text: string
  json: () => Record<string, unknown>
}

const letter = () => new File(['Dear colleague,\nplease find the results below.\n'], 'quarterly-results.txt')

/** One program and its key, which calls a gateway over HTTP. */
export class Program {
  readonly keyId: string
  readonly #key: string
  readonly #address: string

  constructor(address: string, { token, key_id: keyId }: { token: string; key_id: string }) {
    this.#address = address
    this.#key = token
    this.keyId = keyId
  }

  /** The same program, of a gateway that was started anew. */
  at(address: string): Program {
    return new Program(address, { token: this.#key, key_id: this.keyId })
  }

  async call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const isForm = body instanceof FormData
    const answer = await fetch(this.#address + path, {
      method,
      headers: {
        'x-api-key': this.#key,
        ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    })
    const text = await answer.text()
    return {
      status: answer.status,
      headers: answer.headers,
      text,
      json: () => JSON.parse(text) as Record<string, unknown>,
    }
  }

  /** Sends a letter to the test line. @returns its id */
  async send(fields: Record<string, string> = {}, headers: Record<string, string> = {}): Promise<string> {
    const form = new FormData()
    for (const [name, value] of Object.entries({ to: '+15555550123', ...fields })) form.set(name, value)
    form.set('file', letter())
    const answer = await this.call('POST', '/fax', form, headers)
    if (answer.status !== 202) throw new Error(`The fax was refused: ${answer.text}`)
    return String(answer.json()['id'])
  }

  /** Opens the stream of events. @returns what was read so far, and how to read on */
  async events(lastEventId?: string, query = '') {
    const hangUp = new AbortController()
    onTestFinished(() => hangUp.abort())
    const answer = await fetch(`${this.#address}/fax/events${query}`, {
      headers: { 'x-api-key': this.#key, ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }) },
      signal: hangUp.signal,
    })
    let text = ''
    const read = async () => {
      const decoder = new TextDecoder()
      for await (const part of answer.body ?? []) text += decoder.decode(part as Uint8Array, { stream: true })
    }
    let ended = false
    void read()
      .catch(() => undefined)
      .finally(() => (ended = true))
    return {
      status: answer.status,
      text: () => text,
      events: () => parseEvents(text),
      hasEnded: () => ended,
      close: () => hangUp.abort(),
    }
  }
}

export interface HeardEvent {
  id?: string
  event?: string
  data?: Record<string, unknown>
}

/** The events of a stream, comments left out. Source: WHATWG HTML, 9.2.6. */
function parseEvents(text: string): HeardEvent[] {
  const whole = text.split('\n\n').slice(0, -1)
  return whole.flatMap((block) => {
    const fields = block.split('\n').filter((line) => !line.startsWith(':'))
    if (fields.length === 0) return []
    const named = Object.fromEntries(fields.map((line) => [line.split(': ', 1)[0], line.slice(line.indexOf(': ') + 2)]))
    return [{ ...named, data: JSON.parse(named['data'] ?? 'null') as Record<string, unknown> }]
  })
}

/** A whole gateway on a port, and programs that call it from outside. */
export async function listeningGateway(options: Parameters<typeof startGateway>[0] = {}) {
  const started = await startGateway(options)
  const address = await started.app.listen({ host: '127.0.0.1', port: 0 })
  const program = async (fax_access: FaxAccess, scopes: Scope[] = ['fax:send', 'fax:read'], more: object = {}) =>
    new Program(address, await started.client.createApiKey({ body: { scopes, fax_access, ...more } }))
  return { ...started, address, program }
}
