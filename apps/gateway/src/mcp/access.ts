import type { AuthInfo } from '@modelcontextprotocol/server'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Guards } from '../http/guards.ts'
import type { Caller } from '../http/handler.ts'
import type { Who } from '../http/inside-calls.ts'
import type { KeyHolder } from '../http/keys.ts'
import { Problem } from '../http/problem.ts'
import type { SettingsInForce } from '../settings/settings.ts'

interface AccessParts {
  settings: () => SettingsInForce
  guards: Guards
  verifyToken: (token: string) => Promise<KeyHolder>
}

export const metadataPath = '/.well-known/oauth-protected-resource'

/** Where the description of a protected resource is (RFC 9728, section 3.1). */
export const metadataUrl = (publicUrl: string, path: string) => `${publicUrl.replace(/\/$/, '')}${metadataPath}${path}`

const bearer = (request: FastifyRequest) => /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
const isJwt = (token: string) => /^[\w-]+\.[\w-]+\.[\w-]*$/.test(token)

async function callerOf(request: FastifyRequest, who: Who['origin'], parts: AccessParts): Promise<Caller> {
  const { oauth_issuer: issuer, require_mcp_oauth: mustBeToken } = parts.settings()
  const token = bearer(request)
  if (token !== undefined && issuer && isJwt(token)) {
    return { ...(await parts.verifyToken(token)), address: who.address }
  }
  if (mustBeToken)
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
