import type { Role } from '@faxdeck/contract'
import type { FastifyInstance } from 'fastify'
import type { TestGateway } from './start-gateway.ts'

interface Sent {
  json?: unknown
  /** Headers beside those of a browser; undefined leaves one of them out. */
  headers?: Record<string, string | undefined>
}

/** A browser with the console open: it keeps the cookie it is given and says where its calls come from. */
export class Browser {
  readonly #app: FastifyInstance
  cookie: string | undefined
  /** The Set-Cookie header of the last answer that had one. */
  setCookie = ''
  /** What proves that somebody has signed in with this browser. */
  device: string | undefined

  constructor(app: FastifyInstance) {
    this.#app = app
  }

  async ask(method: string, url: string, { json, headers = {} }: Sent = {}) {
    const all = {
      host: '127.0.0.1:8080',
      origin: method === 'GET' ? undefined : 'http://127.0.0.1:8080',
      'sec-fetch-site': 'same-origin',
      'user-agent': 'Test browser',
      cookie: [this.cookie, this.device].filter(Boolean).join('; ') || undefined,
      ...headers,
    }
    const given = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
    const answer = await this.#app.inject({
      method: method as 'GET',
      url,
      headers: given as Record<string, string>,
      remoteAddress: '127.0.0.1',
      ...(json === undefined ? {} : { payload: json as object }),
    })
    for (const cookie of [answer.headers['set-cookie'] ?? []].flat()) {
      const [pair] = cookie.split(';')
      if (pair?.includes('faxdeck_device=')) this.device = pair
      else {
        this.setCookie = cookie
        this.cookie = pair?.endsWith('=') ? undefined : pair
      }
    }
    const isJson = String(answer.headers['content-type']).includes('json')
    return { status: answer.statusCode, body: isJson ? answer.json() : answer.body }
  }
}

export const password = 'four words and a comma'

/** A person of a role with an account, signed in to a browser of their own. */
export async function signedIn({ app, client }: TestGateway, role: Role, name: string = role) {
  const email = `${name}@clinic.example`
  const { person, token } = await client.invitePerson({ body: { name, email, role } })
  const browser = new Browser(app)
  const joined = await browser.ask('POST', '/admin/invitations/accept', { json: { token, password } })
  if (joined.status !== 200) throw new Error(JSON.stringify(joined.body))
  return { browser, person, email }
}
