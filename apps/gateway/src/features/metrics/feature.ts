import type { FastifyRequest } from 'fastify'
import type { GatewayContext } from '../../base/context.ts'
import type { Feature } from '../../base/feature.ts'
import { isLoopback } from '../../base/http/callers/network.ts'
import { readLastBackup } from '../../base/backups/last-backup.ts'
import { pausedProviders } from '../../base/providers/describe-pause.ts'
import { countStates } from '../../fax/move/job-states.ts'
import type { Counts } from '../../base/events/counters.ts'
import { ofLines } from './lines.ts'
import { counter, gauge, labeled, type Metric, unlabeled } from './metric.ts'
import { ofReceiving, ofSurroundings, ofWebhooks } from './receiving.ts'

function ofCounts({ events, attempts, callbacks, conversions }: Counts): Metric[] {
  const steps = (pick: (one: { count: number; seconds: number }) => number) =>
    labeled(new Map([...conversions].map(([step, one]) => [step, pick(one)])), 'step')
  const reported = [...callbacks].map(([name, value]) => {
    const [provider = '', result = ''] = name.split(' ')
    return { labels: { provider, result }, value }
  })
  const seconds = steps((one) => one.seconds)
  return [
    counter('audit_events_total', labeled(events, 'event'), 'Audit events.'),
    counter('attempts_failed_total', labeled(attempts, 'kind'), 'Attempts that failed.'),
    counter('callbacks_total', reported, 'Status reports from providers.'),
    counter('conversion_seconds_total', seconds, 'Time taken to convert documents.'),
    counter(
      'conversions_total',
      steps(({ count }) => count),
      'Documents converted.',
    ),
  ]
}

const jobsHelp =
  'Jobs by status, as the console counts them. Held jobs are counted as held only, those that wait for another attempt or for a paused provider as waiting only. Jobs that need attention are counted under their status as well.'
const waitingHelp = 'Waiting work: faxes, received faxes and webhook deliveries.'

async function ofState(context: GatewayContext, leaseLosses: number): Promise<Metric[]> {
  const { database, queue, now } = context
  const depth = await queue.depth()
  const jobs = await countStates(database.db, pausedProviders(context))
  const oldest = depth.oldest_due_at === null ? 0 : (now().getTime() - Date.parse(depth.oldest_due_at)) / 1000
  const samples = jobs.map(({ backend, state: status, jobs: value }) => ({ labels: { backend, status }, value }))
  return [
    gauge('jobs', samples, jobsHelp),
    gauge('queue_waiting', unlabeled(depth.waiting), waitingHelp),
    gauge('queue_under_way', unlabeled(depth.under_way), 'Work in progress.'),
    gauge('queue_oldest_seconds', unlabeled(Math.max(0, oldest)), 'How long the oldest work has been due.'),
    counter('lease_losses_total', unlabeled(leaseLosses), 'Leases lost to other workers.'),
  ]
}

function ofProviders({ providers, breakers }: GatewayContext): Metric[] {
  const sending = providers.providers.filter(({ open }) => open !== undefined)
  const samples = sending.map(({ id }) => ({ labels: { provider: id }, value: breakers.downSince(id) ? 1 : 0 }))
  const help = '1 while sending is paused because the provider cannot be reached or refuses our credentials.'
  return [gauge('provider_paused', samples, help)]
}

/** No sample where there was no backup, or none is known: with PostgreSQL. */
function ofBackup({ directory, now }: GatewayContext): Metric[] {
  const last = readLastBackup(directory)
  const samples = [last ?? []].flat().map(({ left_out: missing, made_at: at }) => ({
    labels: { complete: String(missing.length === 0) },
    value: Math.max(0, (now().getTime() - Date.parse(at)) / 1000),
  }))
  return [
    { ...gauge('backup_age_seconds', samples, 'How long ago the last backup was made.'), labelNames: ['complete'] },
  ]
}

interface Sources {
  /** Leases lost since the start. */
  leaseLosses: () => number
  /** How many seconds each copy of the audit trail is behind. */
  trailLags: () => Promise<ReadonlyMap<string, number>>
}

const lagHelp = 'How long ago the oldest entry was recorded that a copy of the audit trail lacks; 0 when it has all.'
const ofCopies = (lags: ReadonlyMap<string, number>): Metric => ({
  ...gauge('trail_copy_lag_seconds', labeled(lags, 'sink'), lagHelp),
  labelNames: ['sink'],
})

async function openRegistries() {
  const client = await import('prom-client')
  const ofProcess = new client.Registry()
  client.collectDefaultMetrics({ register: ofProcess, prefix: 'faxdeck_' })
  return { client, ofProcess }
}

/** Writes the metrics in Prometheus's text format. The library is loaded with the first call: most never ask. */
function metricsWriter(
  context: GatewayContext,
  { leaseLosses, trailLags }: Sources,
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
      ...(await ofReceiving(context)),
      ...(await ofWebhooks(context)),
      ...(await ofLines(context)),
      ofCopies(await trailLags()),
      ...(await ofSurroundings(context)),
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

/** GET /metrics: for this machine, and for keys that administer. */
export const createMetrics = (context: GatewayContext, sources: Sources) =>
  ({
    name: 'metrics',
    serve: ({ app, guards }) => {
      const guard = async (request: FastifyRequest) => {
        const origin = guards.originOf(request)
        if (origin.hidden || !isLoopback(origin.address)) await guards.admit('run_gateway', request, origin)
      }
      const write = metricsWriter(context, sources)
      app.get('/metrics', { onRequest: guard }, async (_request, reply) => {
        const { type, text } = await write()
        return reply.type(type).header('cache-control', 'no-store').send(text)
      })
    },
  }) satisfies Feature
