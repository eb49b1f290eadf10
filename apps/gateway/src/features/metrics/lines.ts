import type { GatewayContext } from '../../base/context.ts'
import { readChannels } from '../../fax/calls/feature.ts'
import { gauge, labeled, type Metric } from './metric.ts'

/** Calls that are up, and how many may be, of each provider whose telephone engine reports its calls. */
export async function ofLines({
  database,
  providers,
  now,
}: Pick<GatewayContext, 'database' | 'providers' | 'now'>): Promise<Metric[]> {
  const reporting = providers.providers.filter(({ id }) => providers.opened(id)?.calls)
  const busy = new Map(reporting.map(({ id }) => [id, 0]))
  for (const { backend } of await readChannels({ database, providers, now }))
    busy.set(backend, (busy.get(backend) ?? 0) + 1)
  const allowed = new Map(reporting.map(({ id }) => [id, providers.concurrency(id)]))
  const labelNames = ['provider']
  return [
    { ...gauge('lines_busy', labeled(busy, 'provider'), 'Calls in progress, sent and received.'), labelNames },
    { ...gauge('lines_allowed', labeled(allowed, 'provider'), 'Most calls that may be made at once.'), labelNames },
  ]
}
