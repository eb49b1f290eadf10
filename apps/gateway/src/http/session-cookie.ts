import type { FastifyRequest } from 'fastify'
import { Problem } from './problem.ts'

/** Over HTTPS the browser itself sees to it that no other host and no plain connection can set it (RFC 6265bis, 4.1.3). */
const secureName = '__Host-faxdeck_session'
const plainName = 'faxdeck_session'

type Headers = Readonly<Record<string, string | string[] | undefined>>

/** Whether the page that calls was loaded over HTTPS: its browser says so, also behind a proxy that ends TLS. */
const isSecure = (headers: Headers) => String(headers['origin'] ?? '').startsWith('https://')

/** A Set-Cookie for a session: no script reads it, no other site sends it, and it goes when the browser is closed. */
export function cookieFor(token: string, headers: Headers): string {
  const secure = isSecure(headers)
  const name = secure ? secureName : plainName
  return `${name}=${token}; Path=/; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`
}

/** Takes the cookie of a session back. */
export const endedCookie = (headers: Headers): string => `${cookieFor('', headers)}; Max-Age=0`

/** The session that a request brings; undefined for none. */
export function sessionTokenOf({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined {
  const pairs = (headers.cookie ?? '').split(';').map((pair) => pair.trim())
  for (const name of [secureName, plainName]) {
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
