import type { AuthInfo } from '@modelcontextprotocol/server'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Guards } from '../http/guards.ts'
import type { Caller } from '../http/handler.ts'
import type { Who } from '../http/inside-calls.ts'
import type { KeyHolder } from '../http/keys.ts'
import { Problem } from '../http/problem.ts'
import type { SettingsInForce } from '../settings/settings.ts'

interface TokenParts {
  settings: () => SettingsInForce
  verifyToken: (token: string) => Promise<KeyHolder>
}
interface AccessParts extends TokenParts {
  guards: Guards
}

export const metadataPath = '/.well-known/oauth-protected-resource'

/** Where the description of a protected resource is (RFC 9728, section 3.1). */
export const metadataUrl = (publicUrl: string, path: string) => `${publicUrl.replace(/\/$/, '')}${metadataPath}${path}`

const bearer = (request: FastifyRequest) => /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
const isJwt = (token: string) => /^[\w-]+\.[\w-]+\.[\w-]*$/.test(token)

/**
 * Who the access token of a request stands for; undefined when it brings none, or no issuer is named.
 * @throws {Problem} `unauthorized` for one that is refused
 */
async function holderOfToken(
  request: FastifyRequest,
  { settings, verifyToken }: TokenParts,
): Promise<KeyHolder | undefined> {
  const token = bearer(request)
  return token !== undefined && settings().oauth_issuer && isJwt(token) ? verifyToken(token) : undefined
}

/** The same for the calls that belong to MCP, as long as it is served. */
export async function holderBesideMcp(request: FastifyRequest, parts: TokenParts): Promise<KeyHolder | undefined> {
  const { enable_mcp_http: http, enable_mcp_sse: sse } = parts.settings()
  return http || sse ? holderOfToken(request, parts) : undefined
}

async function callerOf(request: FastifyRequest, who: Who['origin'], parts: AccessParts): Promise<Caller> {
  const holder = await holderOfToken(request, parts)
  if (holder) return { ...holder, address: who.address }
  if (parts.settings().require_mcp_oauth)
    throw new Problem('unauthorized', 'An access token of the issuer is needed; API keys are not accepted here.')
  return parts.guards.identify(request, who)
}

/** Who may use MCP, as the transports hand it on: the caller's own key or token, never the gateway's. */
export async function admitToMcp(
  request: FastifyRequest,
  reply: FastifyReply,
  path: string,
  parts: AccessParts,
): Promise<AuthInfo> {
  const origin = parts.guards.originOf(request)
  try {
    const caller = await callerOf(request, origin, parts)
    const who: Who = { caller, origin }
    return { token: '', clientId: caller.keyId, scopes: [...caller.scopes], extra: { who } }
  } catch (error) {
    if (error instanceof Problem && error.code === 'unauthorized') {
      const metadata = metadataUrl(parts.settings().public_api_url, path)
      void reply.header('www-authenticate', `Bearer resource_metadata="${metadata}"`)
    }
    throw error
  }
}
