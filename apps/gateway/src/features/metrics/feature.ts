import type { FastifyRequest } from 'fastify'
import type { GatewayContext } from '../../base/context.ts'
import type { Feature } from '../../base/feature.ts'
import { isLoopback } from '../../base/http/callers/network.ts'
import { metricsWriter } from './write-metrics.ts'

/** GET /metrics: for this machine, and for keys that administer. @param leaseLosses leases lost since the start */
export const createMetrics = (context: GatewayContext, leaseLosses: () => number) =>
  ({
    name: 'metrics',
    serve: ({ app, guards }) => {
      const guard = async (request: FastifyRequest) => {
        const origin = guards.originOf(request)
        if (origin.hidden || !isLoopback(origin.address)) await guards.admit('run_gateway', request, origin)
      }
      const write = metricsWriter(context, leaseLosses)
      app.get('/metrics', { onRequest: guard }, async (_request, reply) => {
        const { type, text } = await write()
        return reply.type(type).header('cache-control', 'no-store').send(text)
      })
    },
  }) satisfies Feature
