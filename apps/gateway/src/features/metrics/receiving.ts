import { statfs } from 'node:fs/promises'
import type { GatewayContext } from '../../base/context.ts'
import { gauge, type Metric, unlabeled } from './metric.ts'

/** What arrives. How many were received and how many failed are counted as audit events. */
export async function ofReceiving({ database, now }: GatewayContext): Promise<Metric[]> {
  const { waiting, since } = await database.db
    .selectFrom('inbound_faxes')
    .select((eb) => [eb.fn.countAll<number>().as('waiting'), eb.fn.min('received_at').as('since')])
    .where('status', '=', 'waiting')
    .executeTakeFirstOrThrow()
  const seconds = since === null ? 0 : Math.max(0, (now().getTime() - Date.parse(since)) / 1000)
  return [
    gauge('received_waiting', unlabeled(Number(waiting)), 'Received faxes whose document is not here yet.'),
    gauge('received_oldest_seconds', unlabeled(seconds), 'How long the oldest of them has been waiting.'),
  ]
}

/** What the gateway depends on beside its providers: webhooks that were switched off, and room on the disk. */
export async function ofSurroundings({ database, directory }: GatewayContext): Promise<Metric[]> {
  const { stopped } = await database.db
    .selectFrom('webhook_endpoints')
    .select((eb) => eb.fn.countAll<number>().as('stopped'))
    .where('disabled_reason', 'is not', null)
    .executeTakeFirstOrThrow()
  const metrics = [
    gauge('webhooks_stopped', unlabeled(Number(stopped)), 'Webhooks switched off because nothing reached them.'),
  ]
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
