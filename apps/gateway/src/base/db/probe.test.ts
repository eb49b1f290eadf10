import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { connect } from './connect.ts'
import { probeDatabase } from './probe.ts'

function home(): string {
  const directory = mkdtempSync(join(tmpdir(), 'faxdeck-probe-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

describe('a database file', () => {
  it('may be new or a database, and nothing is left behind', async () => {
    const directory = home()
    expect(await probeDatabase(`sqlite:${directory}/new.db`)).toBeUndefined()
    expect(readdirSync(directory)).toEqual([])
    const present = await connect(`sqlite:${directory}/present.db`)
    await sql`create table t (id integer)`.execute(present.db)
    await present.close()
    const before = readdirSync(directory)
    expect(await probeDatabase(`sqlite:${directory}/present.db`)).toBeUndefined()
    expect(readdirSync(directory)).toEqual(before)
  })

  it('is refused where there is no folder, where a folder stands, and where something else is in it', async () => {
    const directory = home()
    mkdirSync(join(directory, 'folder.db'))
    writeFileSync(join(directory, 'letter.db'), 'Dear colleague, this is no database. '.repeat(50))
    expect(await probeDatabase(`sqlite:${directory}/volume/faxdeck.db`)).toBe(
      `A gateway could not start on this database: There is no folder ${directory}/volume. Create it, or mount a volume there. The current one stays in use.`,
    )
    expect(await probeDatabase(`sqlite:${directory}/folder.db`)).toContain('is not a file.')
    expect(await probeDatabase(`sqlite:${directory}/letter.db`)).toContain('file is not a database.')
  })

  it.skipIf(process.getuid?.() === 0)('is refused where this user may not write', async () => {
    expect(await probeDatabase('sqlite:////usr/faxdeck.db')).toContain('cannot be written')
  })
})

describe('PostgreSQL', () => {
  const newDatabase = async () => new URL(await (await fetch(`${inject('postgresBroker')}/without-tables`)).text())

  it('may be used when tables can be made, and keeps none of the probe', async () => {
    const url = (await newDatabase()).href
    expect(await probeDatabase(url)).toBeUndefined()
    const { db, close } = await connect(url)
    const { rows } = await sql`select 1 from pg_tables where schemaname = 'public'`.execute(db)
    await close()
    expect(rows).toEqual([])
  })

  it('is refused when it does not answer, knows no such database or user, or allows no tables', async () => {
    expect(await probeDatabase('postgres://u:pass-word@127.0.0.1:1/faxes')).toBe(
      'A gateway could not start on this database: connect ECONNREFUSED 127.0.0.1:1. The current one stays in use.',
    )
    const url = await newDatabase()
    const owner = await connect(url.href)
    await sql`create role probe_reader login password 'reader'`.execute(owner.db)
    await sql`revoke create on schema public from public`.execute(owner.db)
    await owner.close()
    const reader = Object.assign(new URL(url), { username: 'probe_reader', password: 'reader' })
    expect(await probeDatabase(reader.href)).toContain('permission denied')
    const missing = Object.assign(new URL(url), { pathname: '/no_such_database' })
    expect(await probeDatabase(missing.href)).toContain('"no_such_database" does not exist.')
  })
})
