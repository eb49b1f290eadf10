import { permissionsOfMessages } from '@faxdeck/mcp-tools/tool-routes'
import { scopeFor } from '@faxdeck/contract'
import type { AuthInfo } from '@modelcontextprotocol/server'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Guards } from '../../base/http/callers/guards.ts'
import type { Caller } from '../../base/http/handler.ts'
import type { Who } from '../../base/http/inside-calls.ts'
import { isTokenHolder, type Actor } from '../../base/http/callers/keys.ts'
import { Problem } from '../../base/http/answers/problem.ts'
import type { SettingsInForce } from '../../base/settings/settings.ts'
import type { AdmitAgain } from './open-answers.ts'
import { challengeOf, type Refusal } from './resource.ts'

interface TokenParts {
  settings: () => SettingsInForce
  verifyToken: (token: string) => Promise<Actor>
}
interface AccessParts extends TokenParts {
  guards: Guards
}

const bearer = (request: FastifyRequest) => /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]
const isJwt = (token: string) => /^[\w-]+\.[\w-]+\.[\w-]*$/.test(token)

/**
 * Who the access token of a request stands for; undefined when it brings none, or no issuer is named.
 * @throws {Problem} `unauthorized` for one that is refused
 */
async function holderOfToken(
  request: FastifyRequest,
  { settings, verifyToken }: TokenParts,
): Promise<Actor | undefined> {
  const token = bearer(request)
  return token !== undefined && settings().oauth_issuer && isJwt(token) ? verifyToken(token) : undefined
}

/** The same for the calls that belong to MCP, as long as it is served. */
export async function holderBesideMcp(request: FastifyRequest, parts: TokenParts): Promise<Actor | undefined> {
  const { enable_mcp_http: http, enable_mcp_sse: sse } = parts.settings()
  return http || sse ? holderOfToken(request, parts) : undefined
}

async function callerOf(request: FastifyRequest, who: Who['origin'], parts: AccessParts): Promise<Caller> {
  const holder = await holderOfToken(request, parts)
  if (holder) return { ...holder, address: who.address }
  if (parts.settings().require_mcp_oauth)
    throw new Problem('unauthorized', 'An access token from the issuer is required. API keys are not accepted here.')
  return parts.guards.identify(request, who)
}

interface Admitted {
  caller: Caller
  auth: AuthInfo
  /** Asks once more, when an answer stays open. */
  admitAgain: AdmitAgain
}

/** Who may use MCP, as the transports hand it on: the caller's own key or token, never the gateway's. */
export async function admitToMcp(
  request: FastifyRequest,
  reply: FastifyReply,
  path: string,
  parts: AccessParts,
): Promise<Admitted> {
  const origin = parts.guards.originOf(request)
  try {
    const caller = await callerOf(request, origin, parts)
    const who: Who = { caller, origin }
    const admitAgain = () => callerOf(request, origin, parts)
    return {
      caller,
      admitAgain,
      auth: { token: '', clientId: caller.keyId, scopes: [...caller.permissions], extra: { who } },
    }
  } catch (error) {
    if (error instanceof Problem && error.code === 'unauthorized') {
      const isToken = bearer(request) !== undefined
      challenge(reply, parts, path, isToken ? { error: 'invalid_token', description: error.message } : {})
    }
    throw error
  }
}

function challenge(reply: FastifyReply, { settings }: TokenParts, path: string, refusal: Refusal): void {
  const header = challengeOf(settings(), path, refusal)
  if (header !== undefined) void reply.header('www-authenticate', header)
}

/**
 * Tells the holder of a token which scope it lacks before a tool is used, so that a client can ask for a token that has
 * it. A key is reported by the tool itself: nobody could give it another one.
 * @throws {Problem} `forbidden`
 */
export async function checkTokenScope(
  request: FastifyRequest,
  reply: FastifyReply,
  path: string,
  { caller, parts }: { caller: Caller; parts: AccessParts },
): Promise<void> {
  if (!isTokenHolder(caller.keyId)) return
  for (const permission of permissionsOfMessages(request.body)) {
    try {
      await parts.guards.require(permission, caller)
    } catch (error) {
      if (error instanceof Problem)
        challenge(reply, parts, path, {
          error: 'insufficient_scope',
          description: error.message,
          scope: scopeFor(permission),
        })
      throw error
    }
  }
}
