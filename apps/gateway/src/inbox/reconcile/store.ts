import type { Database } from '../../base/db/database.ts'

export type Direction = 'received' | 'sent'

/** Up to when a provider's list was compared with our records; undefined before the first time. */
export async function sweptUntil({ db }: Database, provider: string, direction: Direction): Promise<Date | undefined> {
  const rows = db.selectFrom('provider_sweeps').select('swept_until')
  const row = await rows.where('provider', '=', provider).where('direction', '=', direction).executeTakeFirst()
  return row && new Date(row.swept_until)
}

export async function markSwept({ db }: Database, provider: string, direction: Direction, until: Date): Promise<void> {
  const swept_until = until.toISOString()
  await db
    .insertInto('provider_sweeps')
    .values({ provider, direction, swept_until })
    .onConflict((conflict) => conflict.columns(['provider', 'direction']).doUpdateSet({ swept_until }))
    .execute()
}
