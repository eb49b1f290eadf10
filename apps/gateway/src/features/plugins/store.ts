import type { Tx, Reader } from '../../base/db/database.ts'
import { keepVersion, newestBeside, readVersions } from '../../base/settings/versions.ts'
import type { GatewayContext } from '../../base/context.ts'
import type { KeyEnding } from '../../base/moments.ts'

/** An installed manifest as it was given. */
export interface StoredManifest {
  id: string
  text: string
}

/** The newest change of any manifest; 0 when there was none. */
export async function readManifestRevision(db: Reader): Promise<number> {
  const newest = db.selectFrom('installed_manifests').select((eb) => eb.fn.max('revision').as('revision'))
  return (await newest.executeTakeFirst())?.revision ?? 0
}

export async function readManifests(db: Reader): Promise<StoredManifest[]> {
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

/** Ids of the manifests that these keys installed, or removed after others had installed them. */
async function installedByEnded(db: Reader, ended: readonly string[]): Promise<string[]> {
  const rows = await db.selectFrom('installed_manifests').selectAll().where('installed_by', 'in', ended).execute()
  const versions = await readVersions(db, 'plugin')
  return rows.filter(({ id, manifest }) => manifest !== null || versions.has(id)).map(({ id }) => id)
}

async function takeBackManifests(tx: Tx, ids: readonly string[], { ended, by, now }: KeyEnding): Promise<void> {
  const versions = await readVersions(tx, 'plugin')
  for (const id of ids) {
    const earlier = newestBeside(versions.get(id), ended)
    const text = earlier ? (JSON.parse(earlier.value) as string | null) : null
    await writeManifest(tx, { id, text }, { keyId: earlier?.saved_by ?? by, now })
  }
}

/** Takes back what keys installed. */
export function holdManifests({ events, moments }: GatewayContext): void {
  moments.keyEnded.plugins = {
    find: async (db, ids) => (await installedByEnded(db, ids)).map((id) => ({ id })),
    takeBack: async (tx, installed, ending) => {
      const ids = installed.map(({ id }) => id)
      await takeBackManifests(tx, ids, ending)
      const removed = ids.map((plugin) => ({ key_id: ending.by, plugin, installed_by: ending.ids }))
      await events.pluginRemoved(removed, tx)
    },
  }
}
