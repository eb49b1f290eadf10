import type { Tx, Reader } from '../db/database.ts'
import type { SettingVersionRow } from '../db/tables/settings.ts'

export type Place = SettingVersionRow['place']
export type Version = Pick<SettingVersionRow, 'value' | 'sealed' | 'saved_by'>
/** Keeps what somebody wrote, in place of what they wrote there before. */
export async function keepVersion(tx: Tx, place: Place, key: string, version: Version): Promise<void> {
  const newest = await tx
    .selectFrom('setting_versions')
    .select((eb) => eb.fn.max('seq').as('seq'))
    .executeTakeFirst()
  const row = { place, key, ...version, seq: (newest?.seq ?? 0) + 1 }
  await tx
    .insertInto('setting_versions')
    .values(row)
    .onConflict((conflict) => conflict.columns(['place', 'key', 'saved_by']).doUpdateSet(row))
    .execute()
}

/** The versions of a place by key, oldest first. */
export async function readVersions(db: Reader, place: Place): Promise<Map<string, Version[]>> {
  const rows = await db.selectFrom('setting_versions').selectAll().where('place', '=', place).orderBy('seq').execute()
  return Map.groupBy(rows, ({ key }) => key)
}

/** Those of the keys that are revoked, and all that were before. */
export async function readRevoked(db: Reader): Promise<Set<string>> {
  const rows = await db.selectFrom('api_keys').select('key_id').where('revoked_at', 'is not', null).execute()
  return new Set(rows.map(({ key_id: keyId }) => keyId))
}

/** The newest version that none of these keys wrote. */
export const newestBeside = (versions: readonly Version[] | undefined, ended: ReadonlySet<string>) =>
  versions?.findLast(({ saved_by: by }) => !ended.has(by))

/** Whether settings of a revoked key were ever taken back. */
export async function wasTakenBack(db: Reader): Promise<boolean> {
  const events = db.selectFrom('audit_events').select('seq').where('event', '=', 'settings_undone').limit(1)
  return (await events.execute()).length > 0
}
