import { scopes } from '@faxdeck/contract'
import type { ToolRoutes } from '@faxdeck/mcp-tools'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Guards } from '../http/guards.ts'
import type { InsideCalls } from '../http/inside-calls.ts'
import type { KeyHolder } from '../http/keys.ts'
import { Problem } from '../http/problem.ts'
import type { SettingsInForce } from '../settings/settings.ts'
import { admitToMcp, metadataPath } from './access.ts'
import type { Serve } from './http.ts'

interface McpParts {
  settings: () => SettingsInForce
  guards: Guards
  calls: InsideCalls<ToolRoutes>
  verifyToken: (token: string) => Promise<KeyHolder>
  version: string
  now: () => number
}

/** Base64 of the largest document, and room around it. */
const largestBody = 70 * 1024 * 1024
const off = (name: string) =>
  new Problem('feature_disabled', `MCP over ${name} is off. Turn it on under Settings, MCP.`)

/** Loaded when an assistant asks for the first time: the libraries are large. */
async function openTransports({ calls, version, now, settings }: McpParts) {
  const [{ serverOver }, { createHttpTransport }, { createSseTransport }] = await Promise.all([
    import('./tools.ts'),
    import('./http.ts'),
    import('./sse.ts'),
  ])
  const makeServer = () => serverOver(calls, version)
  return {
    http: createHttpTransport(makeServer, now),
    sse: createSseTransport(makeServer, `${settings().mcp_sse_path}/messages`, now),
  }
}

type Kind = 'http' | 'sse'
type Transports = Awaited<ReturnType<typeof openTransports>>

const isOn = (kind: Kind, settings: SettingsInForce) =>
  kind === 'http' ? settings.enable_mcp_http : settings.enable_mcp_sse

/** A route that is open while its transport is on, to those who may use MCP; from then on the transport answers. */
function guardedBy(parts: McpParts, transports: () => Promise<Transports>) {
  const { settings, guards, verifyToken } = parts
  return (kind: Kind, path: string, use: (open: Transports) => Serve) => {
    return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
      if (!isOn(kind, settings())) throw off(kind)
      const auth = await admitToMcp(request, reply, path, { settings, guards, verifyToken })
      const serve = use(await transports())
      reply.hijack()
      for (const [name, value] of Object.entries(reply.getHeaders()))
        if (value !== undefined) reply.raw.setHeader(name, value)
      await serve(request.raw, reply.raw, request.body, auth).catch((error: unknown) => {
        request.log.error({ err: error, request_id: request.id }, 'An MCP request failed.')
        if (!reply.raw.headersSent) answerFailure(reply, error)
        else reply.raw.end()
      })
    }
  }
}

/** Serves assistants at the paths of the settings: Streamable HTTP, and the older SSE. Switching one on or off counts at once. */
export function serveMcp(app: FastifyInstance, parts: McpParts): void {
  const { settings } = parts
  const { mcp_http_path: httpPath, mcp_sse_path: ssePath } = settings()
  let opening: Promise<Transports> | undefined
  const guarded = guardedBy(parts, () => (opening ??= openTransports(parts)))
  const options = { bodyLimit: largestBody }
  const serveHttp = guarded('http', httpPath, ({ http }) => http.serve)
  app.route({ method: ['GET', 'POST', 'DELETE'], url: httpPath, ...options, handler: serveHttp })
  const openStream: (open: Transports) => Serve =
    ({ sse }) =>
    (_request, response, _body, auth) =>
      sse.open(response, auth)
  app.get(ssePath, guarded('sse', ssePath, openStream))
  app.post(
    `${ssePath}/messages`,
    options,
    guarded('sse', ssePath, ({ sse }) => sse.post),
  )
  serveHealth(app, settings, 'http', httpPath)
  serveHealth(app, settings, 'sse', ssePath)
  serveMetadata(app, settings, [httpPath, ssePath])
  app.addHook('preClose', async () => {
    if (!opening) return
    const { http, sse } = await opening
    await Promise.all([http.close(), sse.close()])
  })
}

/** After hijacking, errors are answered here. */
function answerFailure(reply: FastifyReply, error: unknown): void {
  const problem = error instanceof Problem ? error : new Problem('internal')
  const body = JSON.stringify({ jsonrpc: '2.0', error: { code: -32_000, message: problem.message }, id: null })
  reply.raw.writeHead(problem.status, { 'content-type': 'application/json' }).end(body)
}

function serveHealth(app: FastifyInstance, settings: () => SettingsInForce, kind: Kind, path: string): void {
  app.get(`${path}/health`, () => {
    if (!isOn(kind, settings())) throw off(kind)
    return { status: 'ok', transport: kind }
  })
}

/** What a client must know to get a token (RFC 9728). */
function serveMetadata(app: FastifyInstance, settings: () => SettingsInForce, paths: readonly string[]): void {
  for (const path of paths) {
    app.get(`${metadataPath}${path}`, () => {
      const { oauth_issuer: issuer, public_api_url: publicUrl } = settings()
      if (!issuer) throw new Problem('feature_disabled', 'OAuth is not set up: no issuer is named.')
      return {
        resource: `${publicUrl.replace(/\/$/, '')}${path}`,
        authorization_servers: [issuer],
        scopes_supported: scopes,
        bearer_methods_supported: ['header'],
        resource_name: 'Faxdeck',
      }
    })
  }
}
