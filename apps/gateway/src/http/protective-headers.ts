import type { OutgoingHttpHeaders } from 'node:http'
import helmet from '@fastify/helmet'
import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify'

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

/** The headers as helmet writes them, for a request that nobody made: they are the same on every answer. */
async function writeHeaders(): Promise<OutgoingHttpHeaders> {
  const draft = Fastify()
  await draft.register(helmet, {
    contentSecurityPolicy: { useDefaults: false, directives: policy },
    strictTransportSecurity: false,
    frameguard: { action: 'deny' },
    referrerPolicy: { policy: 'no-referrer' },
  })
  let headers: OutgoingHttpHeaders = {}
  draft.get('/', (_request, reply) => {
    headers = reply.raw.getHeaders()
    return reply.send()
  })
  await draft.inject('/')
  await draft.close()
  return headers
}

/** Puts the protective headers on every answer. */
export async function protect(app: FastifyInstance): Promise<void> {
  const headers = await writeHeaders()
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers)
    done()
  })
}

/** Lets the scripts with these hashes run in the page that is answered, besides those of files. */
export function allowScripts(reply: FastifyReply, hashes: readonly string[]): void {
  const name = 'content-security-policy'
  const policy = String(reply.getHeader(name))
  void reply.header(name, policy.replace("script-src 'self'", ["script-src 'self'", ...hashes].join(' ')))
}
