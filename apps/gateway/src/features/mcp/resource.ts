import type { Scope } from '@faxdeck/contract'
import { publicUrlOf } from '@faxdeck/settings'
import type { SettingsInForce } from '../../base/settings/settings.ts'

export type ResourceSettings = Pick<
  SettingsInForce,
  'public_api_url' | 'port' | 'oauth_audience' | 'mcp_http_path' | 'mcp_sse_path'
>
type ChallengeSettings = ResourceSettings & Pick<SettingsInForce, 'oauth_issuer'>

export const metadataPath = '/.well-known/oauth-protected-resource'

/** A transport as a protected resource is named: the `resource` that clients ask a token for (RFC 8707, RFC 9728). */
export const resourceOf = (settings: ResourceSettings, path: string): string => publicUrlOf(settings) + path

/** What `aud` may be: the audience that was set, else the advertised resources and the address they lie below. */
export function audiencesOf(settings: ResourceSettings): string[] {
  const { oauth_audience: audience, mcp_http_path: http, mcp_sse_path: sse, public_api_url: named } = settings
  if (audience !== null) return [audience]
  return [resourceOf(settings, http), resourceOf(settings, sse), publicUrlOf(settings), named]
}

export interface Refusal {
  error?: 'invalid_token' | 'insufficient_scope'
  description?: string
  scope?: Scope
}

/**
 * The challenge of a refused caller (RFC 6750, section 3), which leads to the issuer (RFC 9728, section 5.1); undefined
 * where there is no issuer to go to.
 */
export function challengeOf(settings: ChallengeSettings, path: string, refusal: Refusal = {}): string | undefined {
  if (settings.oauth_issuer === null) return undefined
  const fields = {
    error: refusal.error,
    error_description: refusal.description,
    scope: refusal.scope,
    resource_metadata: publicUrlOf(settings) + metadataPath + path,
  }
  const given = Object.entries(fields).filter(([, value]) => value !== undefined)
  return `Bearer ${given.map(([name, value]) => `${name}="${String(value).replace(/["\\]/g, "'")}"`).join(', ')}`
}
