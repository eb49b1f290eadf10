import { AsyncLocalStorage } from 'node:async_hooks'
import type { FastifyInstance, FastifyRequest } from 'fastify'

interface Running {
  id: string
  /** Timers and connections that a request opened go on in its context, and what they do later is not its doing. */
  isAnswered: boolean
}

const running = new AsyncLocalStorage<Running>()

/** The id of the request that the present code runs for; undefined when it runs for none, or for one that was answered. */
export function currentRequestId(): string | undefined {
  const request = running.getStore()
  return request?.isAnswered === false ? request.id : undefined
}

/** Makes the id of each request known to everything that it causes, until it is answered. */
export function trackRequests(app: FastifyInstance): void {
  const tracked = new WeakMap<FastifyRequest, Running>()
  app.addHook('onRequest', (request, _reply, done) => {
    const context = { id: request.id, isAnswered: false }
    tracked.set(request, context)
    running.run(context, done)
  })
  // The end of a body is an event of the connection, which is in no request's context.
  app.addHook('preValidation', (request, _reply, done) => {
    const context = tracked.get(request)
    if (context) running.run(context, done)
    else done()
  })
  app.addHook('onResponse', (request, _reply, done) => {
    const context = tracked.get(request)
    if (context) context.isAnswered = true
    done()
  })
}
