import { statfs } from 'node:fs/promises'
import type { GatewayContext } from '../../base/context.ts'
import { counter, gauge, type Metric, unlabeled } from './metric.ts'

const secondsSince = (at: string | null, now: Date) =>
  at === null ? 0 : Math.max(0, (now.getTime() - Date.parse(at)) / 1000)

/** What arrives. How many were received and how many failed are counted as audit events. */
export async function ofReceiving({
  database,
  counters,
  now,
}: Pick<GatewayContext, 'database' | 'counters' | 'now'>): Promise<Metric[]> {
  const { waiting, since } = await database.db
    .selectFrom('inbound_faxes')
    .select((eb) => [eb.fn.countAll<number>().as('waiting'), eb.fn.min('received_at').as('since')])
    .where('status', '=', 'waiting')
    .executeTakeFirstOrThrow()
  const seconds = secondsSince(since, now())
  // It is there before the first one: Prometheus sees no increase of what begins with 1.
  const declined = unlabeled(counters.events.get('inbound_declined') ?? 0)
  return [
    gauge('received_waiting', unlabeled(waiting), 'Received faxes whose document is not here yet.'),
    gauge('received_oldest_seconds', unlabeled(seconds), 'How long the oldest of them has been waiting.'),
    counter('received_declined_total', declined, 'Faxes that were not received because receiving is off.'),
  ]
}

/** Webhook deliveries that have not arrived yet, those between two tries among them. */
export async function ofWebhooks({ database, now }: Pick<GatewayContext, 'database' | 'now'>): Promise<Metric[]> {
  const { waiting, since } = await database.db
    .selectFrom('webhook_deliveries')
    .select((eb) => [eb.fn.countAll<number>().as('waiting'), eb.fn.min('created_at').as('since')])
    .where('state', '=', 'pending')
    .executeTakeFirstOrThrow()
  const help = 'How long ago the oldest of them was created.'
  return [
    gauge('webhook_deliveries_waiting', unlabeled(waiting), 'Webhook deliveries that have not arrived yet.'),
    gauge('webhook_delivery_oldest_seconds', unlabeled(secondsSince(since, now())), help),
  ]
}

/** What the gateway depends on beside its providers: webhooks that were switched off, and room on the disk. */
export async function ofSurroundings({ database, directory }: GatewayContext): Promise<Metric[]> {
  const { stopped } = await database.db
    .selectFrom('webhook_endpoints')
    .select((eb) => eb.fn.countAll<number>().as('stopped'))
    .where('disabled_reason', 'is not', null)
    .executeTakeFirstOrThrow()
  const metrics = [gauge('webhooks_stopped', unlabeled(stopped), 'Webhooks switched off because nothing reached them.')]
  // Where the data directory cannot be read, diagnostics says why.
  const disk = await statfs(directory).catch(() => undefined)
  if (!disk) return metrics
  const help = 'Room on the disk of the data directory.'
  return [
    ...metrics,
    gauge('disk_free_bytes', unlabeled(disk.bavail * disk.bsize), `${help} What is free for the gateway.`),
    gauge('disk_size_bytes', unlabeled(disk.blocks * disk.bsize), `${help} All of it.`),
  ]
}
