import { randomBytes } from 'node:crypto'
import helmet from '@fastify/helmet'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod'
import { answerError } from './errors.ts'
import type { Guards } from './guards.ts'
import { Problem } from './problem.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A provider's address: it may be called under any host name. */
    webhook?: boolean
  }
}

/** Bytes of a JSON body. */
const largestBody = 4 * 1024 * 1024

const policy = {
  defaultSrc: ["'self'"],
  scriptSrc: ["'self'"],
  // The component library and the terminal set styles on elements.
  styleSrc: ["'self'", "'unsafe-inline'"],
  imgSrc: ["'self'", 'data:', 'blob:'],
  fontSrc: ["'self'"],
  connectSrc: ["'self'"],
  workerSrc: ["'self'"],
  objectSrc: ["'none'"],
  frameSrc: ["'none'"],
  frameAncestors: ["'none'"],
  baseUri: ["'none'"],
  formAction: ["'self'"],
}

/** Ids that are unique without drawing random bytes for every request. */
function requestIds(): () => string {
  const start = randomBytes(6).toString('hex')
  let count = 0
  return () => `${start}-${(count++).toString(36)}`
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

/** A server with headers, guards of every route and error answers, and no routes yet. */
export async function createServer(guards: Guards, log: FastifyBaseLogger): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: log,
    // Addresses can hold one-time links, and a line per poll would bury what matters.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestIds(),
    bodyLimit: largestBody,
    // A slow sender may take its time, but not for ever.
    requestTimeout: 300_000,
    return503OnClosing: false,
    frameworkErrors: (error, request, reply) => void answerError(error, request, reply),
  })
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  app.decorateRequest('caller', null)
  acceptJson(app)
  app.setErrorHandler(answerError)
  app.setNotFoundHandler((request, reply) => answerError(new Problem('not_found'), request, reply))
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.routeOptions.config.webhook !== true) guards.checkHost(request)
    done()
  })
  await app.register(helmet, {
    contentSecurityPolicy: { useDefaults: false, directives: policy },
    strictTransportSecurity: false,
    frameguard: { action: 'deny' },
    referrerPolicy: { policy: 'no-referrer' },
  })
  return app
}
