import { once } from 'node:events'
import { createServer } from 'node:http'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { onTestFinished } from 'vitest'

export interface Issuer {
  url: string
  /** Signs with the newest key; `change` goes over the claims of a good token. */
  token: (change?: JWTPayload) => Promise<string>
  /** Makes a new key; the old one is no longer published. */
  rotate: () => Promise<void>
}

/** An OAuth issuer on the loopback interface that publishes its keys and signs what the test asks for. */
export async function startIssuer(audience: string): Promise<Issuer> {
  let keys = 0
  const makeKey = async () => {
    const { publicKey, privateKey } = await generateKeyPair('ES256')
    const kid = `key-${++keys}`
    return { kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: 'ES256', use: 'sig' } }
  }
  let current = await makeKey()
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ keys: [current.jwk] }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const address = server.address()
  const url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`
  return {
    url,
    token: (change = {}) => {
      const now = Math.floor(Date.now() / 1000)
      const scope = 'fax:send fax:read inbound:list'
      const claims = { iss: url, aud: audience, sub: 'nurse', iat: now, exp: now + 300, scope, ...change }
      return new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: current.kid }).sign(current.privateKey)
    },
    rotate: async () => {
      current = await makeKey()
    },
  }
}
