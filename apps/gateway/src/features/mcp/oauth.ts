import { type Scope, scopes } from '@faxdeck/contract'
import { createRemoteJWKSet, errors, type JWTPayload, jwtVerify } from 'jose'
import { holderOf, type Actor, tokenHolderId } from '../../base/http/callers/keys.ts'
import { Problem } from '../../base/http/answers/problem.ts'
import type { SettingsInForce } from '../../base/settings/settings.ts'
import { audiencesOf, type ResourceSettings } from './resource.ts'

type OAuthSettings = Pick<SettingsInForce, 'oauth_issuer' | 'oauth_jwks_url'> & ResourceSettings

/** Signatures by a key pair only: a shared secret could be guessed, and `none` proves nothing (RFC 8725). */
const algorithms = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA']
const clockToleranceSeconds = 30
const known = new Set<string>(scopes)

/** What the token allows, of what a key may be allowed: `scope` (RFC 8693) or a list in `scp`. */
function scopesOf({ scope, scp }: JWTPayload): Set<Scope> {
  const said = typeof scope === 'string' ? scope.split(' ') : Array.isArray(scp) ? scp : []
  return new Set(said.filter((each): each is Scope => typeof each === 'string' && known.has(each)))
}

const refusal = (why: string) => new Problem('unauthorized', `The access token was rejected: ${why}.`)

function refused(error: unknown): Problem {
  if (error instanceof errors.JWTExpired) return refusal('it has expired')
  if (error instanceof errors.JWTClaimValidationFailed) return refusal(`its "${error.claim}" claim is not valid`)
  if (error instanceof errors.JWKSTimeout) return refusal('the keys of its issuer could not be fetched')
  return refusal('its signature could not be verified')
}

/**
 * Verifies access tokens as an OAuth resource server: signature by the issuer's published keys (fetched again when an
 * unknown key is named), issuer, audience, expiry and not-before (RFC 9068, RFC 8725).
 */
export function createTokenVerifier(settings: () => OAuthSettings): (token: string) => Promise<Actor> {
  let keys: { url: string; set: ReturnType<typeof createRemoteJWKSet> } | undefined
  const keysAt = (url: string) => {
    if (keys?.url !== url) keys = { url, set: createRemoteJWKSet(new URL(url), { cooldownDuration: 5000 }) }
    return keys.set
  }
  return async (token) => {
    const { oauth_issuer: issuer, oauth_jwks_url } = settings()
    if (!issuer) throw refusal('no issuer is set, see OAUTH_ISSUER')
    const audience = audiencesOf(settings())
    const url = oauth_jwks_url ?? `${issuer.replace(/\/$/, '')}/.well-known/jwks.json`
    try {
      const options = {
        issuer,
        audience,
        algorithms,
        requiredClaims: ['exp', 'sub'],
        clockTolerance: clockToleranceSeconds,
      }
      const { payload } = await jwtVerify(token, keysAt(url), options)
      return holderOf(tokenHolderId(String(payload.sub)), scopesOf(payload))
    } catch (error) {
      throw refused(error)
    }
  }
}
