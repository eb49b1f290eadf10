import { randomBytes } from 'node:crypto'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyRequest, LogController } from 'fastify'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import { allowedMethods } from './answers/allowed-methods.ts'
import { redirectUnder, withoutBasePath } from './base-path.ts'
import { endBodies } from './end-body.ts'
import { answerError } from './answers/errors.ts'
import type { Guards } from './callers/guards.ts'
import { Problem } from './answers/problem.ts'
import { protect, protectiveHeaders } from './answers/protective-headers.ts'
import { trackRequests } from './callers/request-context.ts'
import { answerUnreadable } from './answers/problem-reply.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A provider's address: it may be called under any host name. */
    webhook?: boolean
  }
}

const largestBody = 4 * 1024 * 1024

const ourFaults = new Set([500, 507])

/** The answer is under way already; an audit trail that fails as well is left to the log. */
function recordServerError(guards: Guards, request: FastifyRequest, status: number): void {
  guards.recordFault(request.routeOptions.url ?? '', status).catch((error: unknown) => {
    request.log.error({ err: error }, 'A failed call could not be recorded.')
  })
}

/** Ids that say nothing of how many requests there are. Random bytes are drawn for many at once. */
function requestIds(): () => string {
  const size = 12
  let drawn = Buffer.alloc(0)
  let at = 0
  return () => {
    if (at >= drawn.length) {
      drawn = randomBytes(256 * size)
      at = 0
    }
    at += size
    return drawn.toString('hex', at - size, at)
  }
}

/** An empty JSON body is no body. */
function acceptJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser<string>('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body.trim() === '') done(null, undefined)
    else void parse(request, body, done)
  })
}

/**
 * A server with headers, guards of every route and error answers, and no routes yet.
 * @param https certificate and key (PEM), where it speaks HTTPS by itself
 * @param basePath what a proxy puts before every path; empty for nothing
 */
export async function createServer(
  guards: Guards,
  log: FastifyBaseLogger,
  { https = null, basePath = '' }: { https?: { cert: string; key: string } | null; basePath?: string } = {},
): Promise<FastifyInstance> {
  const nextId = requestIds()
  const app: FastifyInstance = Fastify({
    https,
    loggerInstance: log,
    // Addresses can hold one-time links, and a line per poll would bury what matters.
    logController: new LogController({ disableRequestLogging: true }),
    // The log names the request of a line by itself.
    childLoggerFactory: (logger) => logger,
    rewriteUrl: withoutBasePath(basePath),
    genReqId: nextId,
    bodyLimit: largestBody,
    // A slow sender may take its time, but not for ever.
    requestTimeout: 300_000,
    return503OnClosing: false,
    clientErrorHandler: (error, socket) => answerUnreadable(error, socket, nextId()),
    // No hook has run then.
    frameworkErrors: (error, request, reply) => void answerError(error, request, reply.headers(protectiveHeaders)),
  })
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  app.decorateRequest('caller', null)
  acceptJson(app)
  app.setErrorHandler((error, request, reply) => {
    answerError(error, request, reply)
    if (ourFaults.has(reply.statusCode)) recordServerError(guards, request, reply.statusCode)
    return reply
  })
  app.setNotFoundHandler((request, reply) => {
    const allowed = allowedMethods(request.url)
    if (allowed === undefined || allowed.includes(request.method))
      return answerError(new Problem('not_found'), request, reply)
    void reply.header('allow', allowed.join(', '))
    return answerError(new Problem('method_not_allowed'), request, reply)
  })
  trackRequests(app)
  app.addHook('onRequest', (request, reply, done) => {
    void reply.header('x-request-id', request.id)
    guards.checkTarget(request.raw)
    if (request.routeOptions.config.webhook !== true) guards.checkHost(request)
    done()
  })
  endBodies(app)
  protect(app, { isHttps: https !== null })
  if (basePath !== '') redirectUnder(app, basePath)
  return app
}
