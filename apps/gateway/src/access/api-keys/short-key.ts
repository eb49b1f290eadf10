import type { Database } from '../../base/db/database.ts'
import { StartProblem } from '../../base/settings/start-problem.ts'

/** With so many characters chosen at random, nobody guesses the key that may do everything. */
const shortest = 24

/** Whether the bootstrap key is one that the environment gives and that could be guessed. */
export const isShortKey = (given: string | null): boolean => given !== null && given.length < shortest

/** Whether nothing was ever stored or set up here. */
async function isNew({ db }: Pick<Database, 'db'>): Promise<boolean> {
  for (const table of ['storage_places', 'fax_jobs', 'inbound_faxes', 'api_keys', 'people'] as const) {
    if (
      await db
        .selectFrom(table)
        .select((eb) => eb.lit(1).as('one'))
        .limit(1)
        .executeTakeFirst()
    )
      return false
  }
  return true
}

/**
 * One that runs already goes on with its key: the dashboard and the diagnostics say that it is short.
 * @throws {StartProblem} for a short API_KEY of a new installation
 */
export async function refuseShortKey(database: Pick<Database, 'db'>, given: string | null): Promise<void> {
  if (!isShortKey(given) || !(await isNew(database))) return
  throw new StartProblem(
    `API_KEY has fewer than ${shortest} characters, and this key may do everything. Set a longer one, such as the output of "openssl rand -hex 24", or leave API_KEY out: a key is then created and stored in the data directory.`,
  )
}
