import type { Kysely } from 'kysely'
import type { GatewayContext } from '../../base/context.ts'
import type { Tx } from '../../base/db/database.ts'
import type { Tables } from '../../base/db/tables/tables.ts'
import { changeEndpoint } from './store.ts'

/** Shown to people who may switch the webhook on again. */
const pausedReason =
  'The key that set its address or read its secret was revoked. Check the address, and rotate the secret before you switch it on.'

/** By webhook: the key that last chose where it goes or switched it on, and the one that last read its secret. */
async function readHolders(db: Kysely<Tables> | Tx): Promise<Map<string, { address: string; secret: string }>> {
  const events = db
    .selectFrom('audit_events')
    .select(['event', 'key_id', 'fields'])
    .where('event', 'in', ['webhook_created', 'webhook_updated', 'webhook_rotated'])
  const holders = new Map<string, { address: string; secret: string }>()
  for (const { event, key_id: keyId, fields } of await events.orderBy('seq').execute()) {
    const { webhook, changed } = JSON.parse(fields) as { webhook?: unknown; changed?: unknown }
    if (typeof webhook !== 'string' || keyId === null) continue
    const before = holders.get(webhook) ?? { address: keyId, secret: keyId }
    const aims = Array.isArray(changed) && (changed.includes('url') || changed.includes('enabled'))
    if (event === 'webhook_rotated') holders.set(webhook, { ...before, secret: keyId })
    else if (event === 'webhook_created' || aims) holders.set(webhook, { ...before, address: keyId })
  }
  return holders
}

/** The webhooks that are switched on and go where these keys wanted, or whose secret they read. */
async function heldByEnded(db: Kysely<Tables> | Tx, ended: readonly string[]): Promise<{ id: string; url: string }[]> {
  const holders = await readHolders(db)
  const rows = await db.selectFrom('webhook_endpoints').select(['id', 'url']).where('enabled', '=', 1).execute()
  return rows.filter(({ id }) => {
    const holder = holders.get(id)
    return holder !== undefined && (ended.includes(holder.address) || ended.includes(holder.secret))
  })
}

/** Pauses webhooks as their keys end. What waits in them is given up, and can be replayed. */
export function holdWebhooks({ database, events, moments }: GatewayContext): void {
  moments.keyEnded.webhooks = {
    find: heldByEnded,
    takeBack: async (tx, held, { by }) => {
      for (const { id } of held) await changeEndpoint(tx, id, { enabled: 0, disabled_reason: pausedReason })
      const stopped = held.map(({ id: webhook }) => ({ webhook, key_id: by }))
      await events.webhookStopped(stopped, tx)
      await database.signals.notify(tx, 'webhooks')
    },
  }
}
