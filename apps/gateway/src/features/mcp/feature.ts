import type { FastifyRequest, FastifyInstance, FastifyReply } from 'fastify'
import type { GatewayContext } from '../../base/context.ts'
import type { Feature } from '../../base/feature.ts'
import { holderBesideMcp, admitToMcp, checkTokenScope } from './access.ts'
import { createTokenVerifier } from './oauth.ts'
import { scopes } from '@faxdeck/contract'
import type { ToolRoutes } from '@faxdeck/mcp-tools'
import { tooLarge, uploadLimit } from '../../base/http/upload-limit.ts'
import type { Guards } from '../../base/http/callers/guards.ts'
import type { InsideCalls } from '../../base/http/inside-calls.ts'
import type { Actor } from '../../base/http/callers/keys.ts'
import { Problem } from '../../base/http/answers/problem.ts'
import type { SettingsInForce } from '../../base/settings/settings.ts'
import type { Serve } from './transports.ts'
import { OpenAnswers } from './open-answers.ts'
import { metadataPath, resourceOf } from './resource.ts'

interface McpParts {
  settings: () => SettingsInForce
  guards: Guards
  calls: InsideCalls<ToolRoutes>
  verifyToken: (token: string) => Promise<Actor>
  version: string
  now: () => Date
}

/** Base64 of the largest document that MAX_FILE_SIZE_MB can allow, and room around it. */
const largestBody = 70 * 1024 * 1024
/** Room for what a message says beside its document. */
const messageFrame = 256 * 1024
const off = (name: string) =>
  new Problem('feature_disabled', `MCP over ${name} is off. Turn it on under Settings, MCP.`)

/** Loaded when an assistant asks for the first time: the libraries are large. */
async function openTransports({ calls, version, now, settings }: McpParts) {
  const { serverOver, createHttpTransport } = await import('./transports.ts')
  const { createSseTransport } = await import('./sse.ts')
  const makeServer = () => serverOver(calls, version)
  const { base_path: basePath, mcp_sse_path: path } = settings()
  return {
    http: createHttpTransport(makeServer, now),
    sse: createSseTransport(makeServer, `${basePath ?? ''}${path}/messages`, now),
  }
}

type Kind = 'http' | 'sse'
type Transports = Awaited<ReturnType<typeof openTransports>>

const isOn = (kind: Kind, settings: SettingsInForce) =>
  kind === 'http' ? settings.enable_mcp_http : settings.enable_mcp_sse

/** What the sender announces: four characters of base64 for three bytes. What really comes is measured when it is decoded. */
function checkAnnounced(request: FastifyRequest, settings: SettingsInForce): void {
  const max = Math.ceil(uploadLimit(settings) / 3) * 4 + messageFrame
  if (Number(request.headers['content-length'] ?? 0) > max) throw tooLarge(settings)
}

/**
 * A route that is open while its transport is on, to those who may use MCP; from then on the transport answers. Callers
 * are admitted before their message is read, and once more when it is there: it may have taken minutes.
 */
function guardedBy(parts: McpParts, transports: () => Promise<Transports>, open: OpenAnswers) {
  const { settings, guards, verifyToken } = parts
  const access = { settings, guards, verifyToken }
  return (kind: Kind, path: string, use: (open: Transports) => Serve) => ({
    onRequest: async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
      if (!isOn(kind, settings())) throw off(kind)
      void reply.header('cache-control', 'no-store')
      await admitToMcp(request, reply, path, access)
      checkAnnounced(request, settings())
    },
    handler: async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
      const { auth, caller, admitAgain } = await admitToMcp(request, reply, path, access)
      await checkTokenScope(request, reply, path, { caller, parts: access })
      const serve = use(await transports())
      reply.hijack()
      for (const [name, value] of Object.entries(reply.getHeaders()))
        if (value !== undefined) reply.raw.setHeader(name, value)
      open.hold(reply.raw, admitAgain)
      await serve(request.raw, reply.raw, request.body, auth).catch((error: unknown) => {
        request.log.error({ err: error }, 'An MCP request failed.')
        if (!reply.raw.headersSent) answerFailure(reply, error)
        else reply.raw.end()
      })
    },
  })
}

/** Serves assistants at the paths of the settings: Streamable HTTP, and the older SSE. Switching one on or off counts at once. */
function serveMcp(app: FastifyInstance, parts: McpParts): void {
  const { settings } = parts
  const { mcp_http_path: httpPath, mcp_sse_path: ssePath } = settings()
  let opening: Promise<Transports> | undefined
  const open = new OpenAnswers()
  const stopHearing = parts.guards.onKeysEnded(() => open.check())
  const guarded = guardedBy(parts, () => (opening ??= openTransports(parts)), open)
  const options = { bodyLimit: largestBody }
  const serveHttp = guarded('http', httpPath, ({ http }) => http.serve)
  app.route({ method: ['GET', 'POST', 'DELETE'], url: httpPath, ...options, ...serveHttp })
  const openStream: (open: Transports) => Serve =
    ({ sse }) =>
    (_request, response, _body, auth) =>
      sse.open(response, auth)
  app.route({ method: 'GET', url: ssePath, ...guarded('sse', ssePath, openStream) })
  const takeMessage = guarded('sse', ssePath, ({ sse }) => sse.post)
  app.route({ method: 'POST', url: `${ssePath}/messages`, ...options, ...takeMessage })
  serveHealth(app, settings, 'http', httpPath)
  serveHealth(app, settings, 'sse', ssePath)
  serveMetadata(app, settings, [httpPath, ssePath])
  app.addHook('preClose', async () => {
    stopHearing()
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
      const { oauth_issuer: issuer } = settings()
      if (!issuer) throw new Problem('feature_disabled', 'OAuth is not set up: OAUTH_ISSUER is not set.')
      return {
        resource: resourceOf(settings(), path),
        authorization_servers: [issuer],
        scopes_supported: scopes,
        bearer_methods_supported: ['header'],
        resource_name: 'Faxdeck',
      }
    })
  }
}

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
