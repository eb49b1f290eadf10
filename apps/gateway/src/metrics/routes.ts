import type { FastifyInstance } from 'fastify'
import type { Guards } from '../http/guards.ts'
import { isLoopback } from '../http/network.ts'
import { type MetricParts, metricsWriter } from './write-metrics.ts'

/** GET /metrics: for this machine, and for keys that administer. */
export function serveMetrics(app: FastifyInstance, guards: Guards, parts: MetricParts): void {
  const guard = async (request: Parameters<Guards['originOf']>[0]) => {
    const origin = guards.originOf(request)
    if (origin.hidden || !isLoopback(origin.address)) await guards.admit('keys:manage', request, origin)
  }
  const write = metricsWriter(parts)
  app.get('/metrics', { onRequest: guard }, async (_request, reply) => {
    const { type, text } = await write()
    return reply.type(type).header('cache-control', 'no-store').send(text)
  })
}
