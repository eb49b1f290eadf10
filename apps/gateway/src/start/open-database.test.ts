import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { newPostgresDatabase, waitForPostgres } from '../testing/databases.ts'
import { openDatabase } from './open-database.ts'

async function sqlite(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'faxdeck-newer-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  return `sqlite:${directory}/faxdeck.db`
}

describe.each(['SQLite', 'PostgreSQL'])('a database on %s that a newer version has used', (engine) => {
  if (engine === 'PostgreSQL') waitForPostgres()
  const makeUrl = () => (engine === 'SQLite' ? sqlite() : newPostgresDatabase())

  it.each([
    ['its version', '9.1.0', '9.1.0'],
    ['its change, where it noted none', null, 'change 9001-hologram'],
  ])('is refused by %s, and left as it is', async (_, version, named) => {
    const url = await makeUrl()
    const { database, close } = await openDatabase(url)
    const change = sql`insert into kysely_migration (name, timestamp) values ('9001-hologram', '2030-01-01T00:00:00Z')`
    await change.execute(database.db)
    await database.db.updateTable('installation').set({ version }).execute()
    await close()
    await expect(openDatabase(url)).rejects.toThrow(
      `This database was used by a newer version of Faxdeck (${named}). Install that version, or restore the backup from before the upgrade.`,
    )
    await expect(openDatabase(url)).rejects.not.toThrow(/corrupted/)
  })
})
