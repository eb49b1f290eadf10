import type { Environment } from '@faxdeck/settings'
import { openDatabase } from '../start/open-database.ts'
import { readEnvironment } from '../base/settings/environment.ts'
import { allRows } from '../base/settings/rows.ts'
import { StartProblem } from '../base/settings/start-problem.ts'
import { databaseOf } from './backup.ts'
import { UpkeepProblem } from './copy.ts'

/**
 * Lets the next start take the place of the documents as it is, folder or bucket, whatever its marker says.
 * @throws {UpkeepProblem} while a gateway runs on the database file, or when the database cannot be opened
 */
export async function acceptStorage({ directory, env }: { directory: string; env: Environment }): Promise<void> {
  const { values } = readEnvironment(allRows([]), { ...env, FAX_DATA_DIR: directory }, true)
  const url = String(values.database_url)
  // A database that is not there would be made, and accept whatever it finds.
  if (url.startsWith('sqlite:')) databaseOf(directory, env)
  const { database, close } = await openDatabase(url).catch((error: unknown) => {
    throw error instanceof StartProblem ? new UpkeepProblem(error.message) : error
  })
  try {
    await database.db
      .insertInto('storage_places')
      .values([
        { kind: 'local', id: null },
        { kind: 's3', id: null },
      ])
      .onConflict((conflict) => conflict.column('kind').doUpdateSet({ id: null }))
      .execute()
  } finally {
    await close()
  }
}
