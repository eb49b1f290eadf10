import type { Kysely } from 'kysely'
import type { Tx } from '../db/database.ts'
import type { Tables } from '../db/tables/tables.ts'
import { newestBeside, readVersions } from '../settings/versions.ts'
import { writeManifest } from './store.ts'

/** Ids of the manifests that these keys installed, or took away from whoever had installed them. */
export async function installedByEnded(db: Kysely<Tables> | Tx, ended: readonly string[]): Promise<string[]> {
  const rows = await db.selectFrom('installed_manifests').selectAll().where('installed_by', 'in', ended).execute()
  const versions = await readVersions(db, 'plugin')
  return rows.filter(({ id, manifest }) => manifest !== null || versions.has(id)).map(({ id }) => id)
}

/** Puts back the manifests that others installed before, or removes them. */
export async function takeBackManifests(
  tx: Tx,
  ids: readonly string[],
  { ended, by, now }: { ended: ReadonlySet<string>; by: string; now: Date },
): Promise<void> {
  const versions = await readVersions(tx, 'plugin')
  for (const id of ids) {
    const earlier = newestBeside(versions.get(id), ended)
    const text = earlier ? (JSON.parse(earlier.value) as string | null) : null
    await writeManifest(tx, { id, text }, { keyId: earlier?.saved_by ?? by, now })
  }
}
