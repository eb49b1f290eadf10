import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from '../base/db/connect.ts'
import { migrate } from '../base/db/migrate.ts'

let content: Promise<Buffer> | undefined

async function migrateOne(): Promise<Buffer> {
  const directory = await mkdtemp(join(tmpdir(), 'faxdeck-tables-'))
  try {
    const path = join(directory, 'faxdeck.db')
    const database = await connect(`sqlite:${path}`)
    await migrate(database)
    await database.close()
    return await readFile(path)
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

/** Puts a SQLite file with all tables and nothing in them at `path`: the migrations run once in a process. */
export async function writeMigrated(path: string): Promise<void> {
  await writeFile(path, await (content ??= migrateOne()), { mode: 0o600 })
}
