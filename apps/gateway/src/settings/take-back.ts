import type { Tx } from '../db/database.ts'
import { nextRevision } from './store.ts'
import { newestBeside, readVersions } from './versions.ts'

/** Puts back what others saved before, or clears. */
export async function takeBackSaved(
  tx: Tx,
  keys: readonly string[],
  { ended, by, now }: { ended: ReadonlySet<string>; by: string; now: Date },
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
