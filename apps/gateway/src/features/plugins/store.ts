import type { Kysely } from 'kysely'
import type { Tx } from '../../base/db/database.ts'
import type { Tables } from '../../base/db/tables/tables.ts'
import { keepVersion } from '../../base/settings/versions.ts'

/** An installed manifest as it was given. */
export interface StoredManifest {
  id: string
  text: string
}

/** The newest change of any manifest; 0 when there was none. */
export async function readManifestRevision(db: Kysely<Tables> | Tx): Promise<number> {
  const newest = db.selectFrom('installed_manifests').select((eb) => eb.fn.max('revision').as('revision'))
  return (await newest.executeTakeFirst())?.revision ?? 0
}

export async function readManifests(db: Kysely<Tables>): Promise<StoredManifest[]> {
  const rows = await db
    .selectFrom('installed_manifests')
    .select(['id', 'manifest'])
    .where('manifest', 'is not', null)
    .orderBy('id')
    .execute()
  return rows.map(({ id, manifest }) => ({ id, text: manifest ?? '' }))
}

/** Installs, replaces or, without a text, removes a manifest. */
export async function writeManifest(
  tx: Tx,
  { id, text }: { id: string; text: string | null },
  by: { keyId: string; now: Date },
): Promise<void> {
  const row = {
    id,
    manifest: text,
    revision: (await readManifestRevision(tx)) + 1,
    installed_at: by.now.toISOString(),
    installed_by: by.keyId,
  }
  const present = await tx.selectFrom('installed_manifests').selectAll().where('id', '=', id).executeTakeFirst()
  if (present && present.installed_by !== by.keyId) {
    const version = { value: JSON.stringify(present.manifest), sealed: 0, saved_by: present.installed_by }
    await keepVersion(tx, 'plugin', id, version)
  }
  await tx
    .insertInto('installed_manifests')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute()
}
