import { type VisibleFaxes, visibleFaxes } from '../../access/visible.ts'
import { holderOf } from '../../base/http/callers/keys.ts'
import { scopesOf } from '../../access/api-keys/verify.ts'
import type { Db } from './store.ts'

/** A webhook that is on, and what it may report on. */
export interface Audience {
  id: string
  events: readonly string[]
  visible: VisibleFaxes
  /** Whether it reports on received faxes. */
  receives: boolean
}

/**
 * The webhooks that are on. Those of a key report on what the key sees now, and of nothing once it has ended: what it could
 * not read itself it is not told.
 */
export async function readAudiences(tx: Db, now: Date): Promise<Audience[]> {
  const endpoints = await tx
    .selectFrom('webhook_endpoints')
    .select(['id', 'events', 'key_id'])
    .where('enabled', '=', 1)
    .execute()
  const owners = endpoints.flatMap(({ key_id: owner }) => owner ?? [])
  const keys = tx.selectFrom('api_keys').selectAll().where('revoked_at', 'is', null).where('key_id', 'in', owners)
  const rows = owners.length === 0 ? [] : await keys.execute()
  const holders = rows
    .filter((row) => row.expires_at === null || row.expires_at > now.toISOString())
    .map((row) => holderOf(row.key_id, new Set(scopesOf(row)), row.fax_access))
  return endpoints.flatMap(({ id, events, key_id: owner }): Audience[] => {
    const seen = { id, events: events.split(',') }
    if (owner === null) return [{ ...seen, visible: 'all', receives: true }]
    const holder = holders.find(({ keyId }) => keyId === owner)
    if (!holder || !holder.permissions.has('own_webhooks')) return []
    return [{ ...seen, visible: visibleFaxes(holder), receives: holder.permissions.has('list_received') }]
  })
}
