import type { FastifyRequest } from 'fastify'
import { isLoopback } from './network.ts'
import { Problem } from '../answers/problem.ts'

/**
 * Over HTTPS the browser itself sees to it that no plain connection can set it, and no other host either where it is for
 * the whole host (RFC 6265bis, 4.1.3). Under a base path it is sent to that path alone.
 */
type Cookie = 'faxdeck_session' | 'faxdeck_device'
const secureName = (cookie: Cookie, basePath: string | null) =>
  basePath === null ? `__Host-${cookie}` : `__Secure-${cookie}`

type Headers = Readonly<Record<string, string | string[] | undefined>>

/** What a request that brings a session says about it. */
export interface SessionUse {
  /** It shows that a person is there: asking does not, a page does that by itself. */
  isThere: boolean
  /** It has just come. A stream that is open is admitted again with the cookie that it came with, however old. */
  isNew: boolean
}

/** Whether the page that calls was loaded over HTTPS: its browser says so, also behind a proxy that ends TLS. */
const isSecure = (headers: Headers) => String(headers['origin'] ?? '').startsWith('https://')

/**
 * A Set-Cookie for a session: no script reads it, no other site sends it, and it goes when the browser is closed.
 * @param basePath under which the gateway is shown; null for a host name of its own
 */
export const cookieFor = (token: string, headers: Headers, basePath: string | null): string =>
  setCookie('faxdeck_session', token, headers, basePath)

/** A Set-Cookie for what proves that somebody has signed in with this browser; it stays when the browser is closed. */
export const deviceCookieFor = (proof: string, headers: Headers, basePath: string | null, seconds: number): string =>
  `${setCookie('faxdeck_device', proof, headers, basePath)}; Max-Age=${seconds}`

function setCookie(cookie: Cookie, value: string, headers: Headers, basePath: string | null): string {
  const secure = isSecure(headers)
  const name = secure ? secureName(cookie, basePath) : cookie
  return `${name}=${value}; Path=${basePath ?? ''}/; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`
}

/** Takes the cookie of a session back. */
export const endedCookie = (headers: Headers, basePath: string | null): string =>
  `${cookieFor('', headers, basePath)}; Max-Age=0`

/**
 * Whether the page came over HTTPS: browsers say where a request comes from on secure connections and to this machine
 * alone. A plain cookie then is not one of ours: a neighboring host can set it.
 */
function isSurelySecure(headers: Headers): boolean {
  const name = String(headers.host ?? '').replace(/:\d+$/, '')
  const isThisMachine = name === 'localhost' || name.endsWith('.localhost') || isLoopback(name.replace(/^\[|\]$/g, ''))
  return headers['sec-fetch-site'] !== undefined && !isThisMachine
}

/**
 * The session that a request brings; undefined for none. A neighboring host can set the cookie of a path, so one for the
 * whole host is the only secure one where there is no base path.
 */
export const sessionTokenOf = ({ headers }: Pick<FastifyRequest, 'headers'>, basePath: string | null) =>
  readCookie('faxdeck_session', headers, basePath)

/** What the browser brings to prove that somebody has signed in with it. */
export const deviceProofOf = (headers: Headers, basePath: string | null) =>
  readCookie('faxdeck_device', headers, basePath)

function readCookie(cookie: Cookie, headers: Headers, basePath: string | null): string | undefined {
  const pairs = String(headers['cookie'] ?? '')
    .split(';')
    .map((pair) => pair.trim())
  for (const name of [secureName(cookie, basePath), ...(isSurelySecure(headers) ? [] : [cookie])]) {
    const value = pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1)
    if (value) return value
  }
  return undefined
}

/** Whether a request changes something, or says that a person is there. */
export const isUnsafe = ({ method }: Pick<FastifyRequest, 'method'>): boolean => method !== 'GET' && method !== 'HEAD'

/**
 * A browser sends the cookie without anybody asking, so the request must come from our own page. `checkHost` has compared
 * an Origin that is there already.
 * @throws {Problem} `host_refused`
 */
export function assertOwnPage(request: Pick<FastifyRequest, 'headers' | 'method'>): void {
  const site = request.headers['sec-fetch-site']
  const isOurs = site === 'same-origin' || (site === 'none' && !isUnsafe(request))
  const isNamed = site === undefined && (request.headers.origin !== undefined || !isUnsafe(request))
  if (!isOurs && !isNamed) throw new Problem('host_refused', 'Pages from other sites can’t call this gateway.')
}
