import type { Kysely } from 'kysely'
import type { GatewayContext } from '../../base/context.ts'
import type { Tx } from '../../base/db/database.ts'
import type { Tables } from '../../base/db/tables/tables.ts'
import type { KeyEnding } from '../../base/moments.ts'
import { newestBeside, readVersions } from '../../base/settings/versions.ts'
import { writeManifest } from './store.ts'

/** Ids of the manifests that these keys installed, or took away from whoever had installed them. */
async function installedByEnded(db: Kysely<Tables> | Tx, ended: readonly string[]): Promise<string[]> {
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
