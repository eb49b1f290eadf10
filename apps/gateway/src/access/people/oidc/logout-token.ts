import type { JWTPayload } from 'jose'
import { Problem } from '../../../base/http/answers/problem.ts'
import type { Signer } from './provider.ts'
import type { LoggedOut } from './store.ts'

/** The event of a logout token (OpenID Connect Back-Channel Logout 1.0, section 2.4). */
const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout'

/** How old a token may be. The provider posts it as soon as somebody signs out. */
export const longestAgeSeconds = 300
const toleranceSeconds = 60
/** No shared secret and no `none`: only the holder of the provider's private key. */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519']
/** Before the standard named a type, providers sent none. */
const types = new Set([undefined, 'jwt', 'logout+jwt', 'application/logout+jwt'])

/** A logout that the provider has signed. */
export interface LogoutToken extends LoggedOut {
  /** Its own name: no token counts twice. */
  id: string
  /** In seconds since 1970. */
  issuedAt: number
}

interface Expected {
  /** As it is set up; what it calls itself may have another slash at its end. */
  issuer: string
  clientId: string
  now: Date
}

const refuse = (what: string) => new Problem('bad_request', `The logout token was rejected: ${what}.`)

function textIn(payload: JWTPayload, claim: 'sub' | 'sid' | 'jti'): string | undefined {
  const value = payload[claim]
  if (value === undefined) return undefined
  if (typeof value !== 'string' || value === '' || value.length > 255) throw refuse(`its ${claim} is not valid`)
  return value
}

function checkEvents({ events }: JWTPayload): void {
  const isMap = (value: unknown) => typeof value === 'object' && value !== null && !Array.isArray(value)
  const event = isMap(events) && Object.hasOwn(events as object, logoutEvent)
  if (!event || !isMap((events as Record<string, unknown>)[logoutEvent])) throw refuse('it is not about a logout')
}

const isSameAddress = (one: unknown, other: string) =>
  typeof one === 'string' && URL.canParse(one) && new URL(one).href === new URL(other).href

/** What can be said before anybody is asked for keys: strangers make nobody ask. */
async function assertForUs(token: string, { issuer, clientId }: Expected): Promise<void> {
  const { decodeJwt, decodeProtectedHeader } = await import('jose')
  try {
    const [{ typ }, { iss, aud }] = [decodeProtectedHeader(token), decodeJwt(token)]
    if (!types.has(typ?.toLowerCase())) throw refuse('it is not a logout token')
    if (!isSameAddress(iss, issuer)) throw refuse('it is from another provider')
    if (![aud].flat().includes(clientId)) throw refuse('it is for another client')
  } catch (error) {
    throw error instanceof Problem ? error : refuse('it is not a token')
  }
}

/** Whether a fault is the token's. Others are of the way to the provider's keys. */
function isOfToken(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'ERR_JWKS_TIMEOUT' || code === 'ERR_JWKS_INVALID') return false
  return code.startsWith('ERR_JW') || code.startsWith('ERR_JOSE_')
}

async function verify(token: string, { issuer, keys }: Signer, { clientId, now }: Expected): Promise<JWTPayload> {
  const { jwtVerify } = await import('jose')
  const checks = { maxTokenAge: longestAgeSeconds, clockTolerance: toleranceSeconds, currentDate: now }
  const requiredClaims = ['iat', 'jti', 'events']
  const verified = await jwtVerify(token, keys, { issuer, audience: clientId, algorithms, requiredClaims, ...checks })
  return verified.payload
}

/**
 * Reads a logout token as sections 2.4 and 2.6 of the standard say.
 * @param askForSigner only asked once the token names this provider and this client
 * @throws {Problem} `bad_request` for one that is not believed, `unavailable` while the provider's keys cannot be had
 */
export async function readLogoutToken(
  token: string,
  expected: Expected,
  askForSigner: () => Promise<Signer>,
): Promise<LogoutToken> {
  await assertForUs(token, expected)
  const away = new Problem(
    'unavailable',
    'The keys of the sign-in provider can’t be fetched right now. Send the token again.',
    {
      retryAfterSeconds: 30,
    },
  )
  const signer = await askForSigner().catch(() => {
    throw away
  })
  const payload = await verify(token, signer, expected).catch((error: unknown) => {
    throw isOfToken(error) ? refuse('it could not be verified, or it is too old') : away
  })
  checkEvents(payload)
  // An ID token with a logout event is not a logout token.
  if ('nonce' in payload) throw refuse('it has a nonce')
  const [subject, sid, id] = [textIn(payload, 'sub'), textIn(payload, 'sid'), textIn(payload, 'jti')]
  if (subject === undefined && sid === undefined) throw refuse('it names neither a person nor a session')
  if (id === undefined) throw refuse('it has no jti')
  return { issuer: signer.issuer, subject, sid, id, issuedAt: payload.iat ?? 0 }
}
