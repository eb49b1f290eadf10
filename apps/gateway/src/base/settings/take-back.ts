import type { GatewayContext } from '../context.ts'
import type { Tx } from '../db/database.ts'
import type { KeyEnding } from '../moments.ts'
import { nextRevision } from './store.ts'
import { newestBeside, readVersions } from './versions.ts'

/** Puts back what others saved before, or clears. */
export async function takeBackSaved(
  tx: Tx,
  keys: readonly string[],
  { ended, by, now }: Omit<KeyEnding, 'ids'>,
): Promise<void> {
  const updatedAt = await nextRevision(tx, now)
  const versions = await readVersions(tx, 'database')
  for (const key of keys) {
    const earlier = newestBeside(versions.get(key), ended)
    const { value, sealed, saved_by } = earlier ?? { value: 'null', sealed: 0, saved_by: by }
    const change = { value, sealed, updated_at: updatedAt, updated_by: saved_by }
    const theirs = tx
      .updateTable('saved_settings')
      .set(change)
      .where('updated_by', 'in', [...ended])
    await theirs.where('key', '=', key).execute()
  }
}

/** Takes back what keys saved. Lines of faxdeck.env follow with `reread`, which every process does for its own file. */
export function holdSettings({ database, settings, events, moments }: GatewayContext): void {
  moments.keyEnded.settings = {
    find: async (db, ids) => {
      const rows = new Map(settings.rows.map((row) => [row.key, row]))
      return (await settings.savedBy(db, ids)).map((key) => ({ key, label: rows.get(key)?.label ?? key }))
    },
    takeBack: async (tx, saved, ending) => {
      const changed = saved.map(({ key }) => key)
      await takeBackSaved(tx, changed, ending)
      if (changed.length > 0) await events.settingsUndone({ key_id: ending.by, changed, saved_by: ending.ids }, tx)
      await database.signals.notify(tx, 'settings')
    },
  }
}
