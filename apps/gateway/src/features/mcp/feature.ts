import type { FastifyRequest } from 'fastify'
import type { GatewayContext } from '../../base/context.ts'
import type { Feature } from '../../base/feature.ts'
import { holderBesideMcp } from './access.ts'
import { createTokenVerifier } from './oauth.ts'
import { serveMcp } from './routes.ts'

/** Serves assistants over MCP. */
export function createMcp({ settings, now }: GatewayContext, version: string) {
  const tokens = { settings: settings.current, verifyToken: createTokenVerifier(settings.current) }
  return {
    name: 'mcp',
    serve: ({ app, guards, calls }) => serveMcp(app, { ...tokens, guards, calls, version, now }),
    /** Who the access token of a request stands for, for calls that take such tokens. */
    holderOfToken: (request: FastifyRequest) => holderBesideMcp(request, tokens),
  } satisfies Feature & Record<string, unknown>
}
