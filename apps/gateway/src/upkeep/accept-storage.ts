import type { Environment } from '@faxdeck/settings'
import { presentUrlOf } from './backup.ts'
import { withDatabase } from './hold.ts'

const anyPlace = [
  { kind: 'local', id: null },
  { kind: 's3', id: null },
] as const

/**
 * Lets the next start take the place of the documents as it is, folder or bucket, whatever its marker says.
 * @throws {UpkeepProblem} while a gateway runs on the database file, or when the database cannot be opened
 */
export const acceptStorage = ({ directory, env }: { directory: string; env: Environment }): Promise<void> =>
  withDatabase(presentUrlOf(directory, env), async ({ db }) => {
    const places = db.insertInto('storage_places').values([...anyPlace])
    await places.onConflict((conflict) => conflict.column('kind').doUpdateSet({ id: null })).execute()
  })
