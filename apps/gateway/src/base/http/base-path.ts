import type { FastifyInstance, FastifyRequest, RawRequestDefaultExpression } from 'fastify'

/** Where the documentation is served. */
export const docsPath = '/docs/latest'

/**
 * Takes the base path off the address of a request, so that routes know nothing of it. An address without it is
 * answered as well: a proxy may have taken it off already, and a health check may come past the proxy.
 * @param basePath begins with a slash and ends without one, or is empty
 */
export const withoutBasePath = (basePath: string) => (request: RawRequestDefaultExpression) => {
  const { url = '/' } = request
  if (basePath === '' || !url.startsWith(basePath)) return url
  const rest = url.slice(basePath.length)
  if (rest.startsWith('/')) return rest
  return rest === '' || rest.startsWith('?') ? `/${rest}` : url
}

/** Leads on to addresses as browsers know them. */
export function redirectUnder(app: FastifyInstance, basePath: string): void {
  app.addHook('onSend', (_request: FastifyRequest, reply, _payload, done) => {
    const location = reply.getHeader('location')
    if (typeof location === 'string' && location.startsWith('/')) void reply.header('location', basePath + location)
    done()
  })
}
