import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { onTestFinished } from 'vitest'

/** What the provider does wrong from now on; nothing, when empty. */
interface Lies {
  /** Goes over the claims of a good ID token. */
  claims?: JWTPayload
  /** Signs with a key that it does not publish. */
  strangeKey?: boolean
  /** What it calls itself. */
  issuer?: string
  /** Requests are not answered. */
  silent?: boolean
  /** How every request is answered. */
  status?: number
  /** Where it says that tokens are. */
  tokenEndpoint?: string
  /** What happens after an ID token was signed and before it is sent. */
  meanwhile?: () => Promise<void>
}

/** A provider that answers every code, as often as it is asked, with whatever a test wants it to say. */
export async function startLyingProvider() {
  const { publicKey, privateKey } = await generateKeyPair('RS256')
  const strange = await generateKeyPair('RS256')
  const jwk = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig' }
  const state = { lies: {} as Lies, nonce: '', asked: [] as string[] }
  const identity = { sub: 'u1', name: 'Jane Doe', email: 'jane.doe@clinic.example', email_verified: true }

  const idToken = () => {
    const now = Math.floor(Date.now() / 1000)
    const good = { iss: url, aud: 'faxdeck', iat: now, exp: now + 300, nonce: state.nonce, ...identity }
    const signed = new SignJWT({ ...good, ...state.lies.claims }).setProtectedHeader({ alg: 'RS256', kid: 'one' })
    return signed.sign(state.lies.strangeKey ? strange.privateKey : privateKey)
  }
  /** A logout token that is good, but for what is said otherwise; `undefined` leaves a claim out. */
  const logoutToken = (claims: JWTPayload = {}, header: Record<string, unknown> = {}, isStrange = false) => {
    const now = Math.floor(Date.now() / 1000)
    const events = { 'http://schemas.openid.net/event/backchannel-logout': {} }
    const good = { iss: url, aud: 'faxdeck', iat: now, exp: now + 120, jti: randomUUID(), events, sub: identity.sub }
    const signed = new SignJWT({ ...good, ...claims })
    const whole = signed.setProtectedHeader({ alg: 'RS256', kid: 'one', typ: 'logout+jwt', ...header })
    return whole.sign(isStrange ? strange.privateKey : privateKey)
  }
  const answers: Record<string, () => unknown> = {
    '/.well-known/openid-configuration': () => ({
      issuer: state.lies.issuer ?? url,
      authorization_endpoint: `${url}/authorize`,
      token_endpoint: state.lies.tokenEndpoint ?? `${url}/token`,
      jwks_uri: `${url}/jwks`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      token_endpoint_auth_methods_supported: ['client_secret_post'],
    }),
    '/jwks': () => ({ keys: [jwk] }),
    '/token': async () => {
      const id_token = await idToken()
      await state.lies.meanwhile?.()
      return { access_token: 'a', token_type: 'Bearer', expires_in: 60, id_token }
    },
  }
  const server = createServer((request, response) => {
    state.asked.push(request.url ?? '')
    if (state.lies.silent) return
    const answer = answers[request.url ?? '']
    response.statusCode = state.lies.status ?? (answer ? 200 : 404)
    response.setHeader('content-type', 'application/json')
    Promise.resolve(answer?.()).then(
      (body) => response.end(JSON.stringify(body ?? {})),
      () => response.destroy(),
    )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
  return { url, state, logoutToken }
}
