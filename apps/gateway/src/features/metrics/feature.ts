import type { FastifyRequest } from 'fastify'
import type { GatewayContext } from '../../base/context.ts'
import type { Feature } from '../../base/feature.ts'
import { isLoopback } from '../../base/http/callers/network.ts'
import { readLastBackup } from '../../base/backups/last-backup.ts'
import { countStates } from '../../fax/move/job-states.ts'
import type { Counts } from '../../base/events/counters.ts'

interface Metric {
  name: string
  help: string
  type: 'counter' | 'gauge'
  /** Given where there may be no sample: one without labels would be written as 0 then. */
  labelNames?: string[]
  samples: readonly { labels: Record<string, string>; value: number }[]
}

const unlabeled = (value: number) => [{ labels: {}, value }]

function labeled(counts: ReadonlyMap<string, number>, label: string): Metric['samples'] {
  return [...counts].map(([name, value]) => ({ labels: { [label]: name }, value }))
}

function ofCounts({ events, attempts, callbacks, conversions }: Counts): Metric[] {
  const steps = (pick: (one: { count: number; seconds: number }) => number) =>
    labeled(new Map([...conversions].map(([step, one]) => [step, pick(one)])), 'step')
  const reported = [...callbacks].map(([name, value]) => {
    const [provider = '', result = ''] = name.split(' ')
    return { labels: { provider, result }, value }
  })
  return [
    { name: 'audit_events_total', help: 'Audit events.', type: 'counter', samples: labeled(events, 'event') },
    {
      name: 'attempts_failed_total',
      help: 'Attempts that failed.',
      type: 'counter',
      samples: labeled(attempts, 'kind'),
    },
    { name: 'callbacks_total', help: 'Status reports from providers.', type: 'counter', samples: reported },
    {
      name: 'conversion_seconds_total',
      help: 'Time taken to convert documents.',
      type: 'counter',
      samples: steps((one) => one.seconds),
    },
    { name: 'conversions_total', help: 'Documents converted.', type: 'counter', samples: steps((one) => one.count) },
  ]
}

async function ofState({ database, queue, now }: GatewayContext, leaseLosses: number): Promise<Metric[]> {
  const depth = await queue.depth()
  const jobs = await countStates(database.db)
  const oldest = depth.oldest_due_at === null ? 0 : (now().getTime() - Date.parse(depth.oldest_due_at)) / 1000
  const samples = jobs.map(({ backend, state: status, jobs: value }) => ({ labels: { backend, status }, value }))
  return [
    {
      name: 'jobs',
      help: 'Jobs by status, as the console counts them. Held jobs are counted as held only. Jobs that need attention are counted under their status as well.',
      type: 'gauge',
      samples,
    },
    {
      name: 'queue_waiting',
      help: 'Waiting work: faxes, received faxes and webhook deliveries.',
      type: 'gauge',
      samples: unlabeled(depth.waiting),
    },
    { name: 'queue_under_way', help: 'Work in progress.', type: 'gauge', samples: unlabeled(depth.under_way) },
    {
      name: 'queue_oldest_seconds',
      help: 'How long the oldest work has been due.',
      type: 'gauge',
      samples: unlabeled(Math.max(0, oldest)),
    },
    {
      name: 'lease_losses_total',
      help: 'Leases lost to other workers.',
      type: 'counter',
      samples: unlabeled(leaseLosses),
    },
  ]
}

function ofProviders({ providers, breakers }: GatewayContext): Metric[] {
  const sending = providers.providers.filter(({ open }) => open !== undefined)
  const samples = sending.map(({ id }) => ({ labels: { provider: id }, value: breakers.downSince(id) ? 1 : 0 }))
  const help = '1 while sending is paused because the provider cannot be reached or refuses our credentials.'
  return [{ name: 'provider_paused', help, type: 'gauge', samples }]
}

/** No sample where there was no backup, or none is known: with PostgreSQL. */
function ofBackup({ directory, now }: GatewayContext): Metric[] {
  const last = readLastBackup(directory)
  const samples = last
    ? [
        {
          labels: { complete: String(last.left_out.length === 0) },
          value: Math.max(0, (now().getTime() - Date.parse(last.made_at)) / 1000),
        },
      ]
    : []
  const help = 'How long ago the last backup was made.'
  return [{ name: 'backup_age_seconds', help, type: 'gauge', samples, labelNames: ['complete'] }]
}

async function openRegistries() {
  const client = await import('prom-client')
  const ofProcess = new client.Registry()
  client.collectDefaultMetrics({ register: ofProcess, prefix: 'faxdeck_' })
  return { client, ofProcess }
}

/** Writes the metrics in Prometheus's text format. The library is loaded with the first call: most never ask. */
function metricsWriter(
  context: GatewayContext,
  leaseLosses: () => number,
): () => Promise<{ type: string; text: string }> {
  let opened: ReturnType<typeof openRegistries> | undefined
  return async () => {
    opened ??= openRegistries()
    const { client, ofProcess } = await opened
    const ours = new client.Registry()
    for (const { name, help, type, samples, labelNames = Object.keys(samples[0]?.labels ?? {}) } of [
      ...ofCounts(context.counters),
      ...(await ofState(context, leaseLosses())),
      ...ofProviders(context),
      ...ofBackup(context),
    ]) {
      const options = { name: `faxdeck_${name}`, help, labelNames, registers: [ours] }
      if (type === 'gauge') {
        const gauge = new client.Gauge(options)
        for (const { labels, value } of samples) gauge.set(labels, value)
      } else {
        const counter = new client.Counter(options)
        for (const { labels, value } of samples) counter.inc(labels, value)
      }
    }
    return { type: ours.contentType, text: `${await ours.metrics()}\n${await ofProcess.metrics()}` }
  }
}

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
