import type { Kysely } from 'kysely'
import type { Tx } from '../db/database.ts'
import type { Tables } from '../db/tables/tables.ts'

/** By key: who was given its token, when it was created or last rotated. The audit trail is where that is kept. */
export async function readIssuers(db: Kysely<Tables> | Tx): Promise<Map<string, string>> {
  const events = db.selectFrom('audit_events').where('event', 'in', ['api_key_created', 'api_key_rotated'])
  const rows = await events.select(['key_id', 'fields']).orderBy('seq').execute()
  const issuers = new Map<string, string>()
  for (const { key_id: keyId, fields } of rows) {
    const { by } = JSON.parse(fields) as { by?: unknown }
    if (keyId !== null && typeof by === 'string') issuers.set(keyId, by)
  }
  return issuers
}
