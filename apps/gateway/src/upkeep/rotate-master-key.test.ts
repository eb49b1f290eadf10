import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Kysely } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { connect } from '../base/db/connect.ts'
import type { Database } from '../base/db/database.ts'
import { DocumentKeys } from '../base/encryption/document-keys.ts'
import { fingerprintKeyOf, masterKey, settleMasterKey } from '../base/settings/master-key.ts'
import { SealBroken, type Seals, sealsOf } from '../base/settings/seal.ts'
import { newPostgresDatabase, waitForPostgres } from '../testing/databases.ts'
import { writeMigrated } from '../testing/migrated-file.ts'
import { startGateway } from '../testing/start-gateway.ts'
import { backUp } from './backup.ts'
import { sealedColumns, rotateMasterKey } from './rotate-master-key.ts'
import { rotateKey } from './rotate-key.ts'

const now = () => new Date()
const at = now().toISOString()
type Row = Record<string, string | number | null>

async function folder() {
  const path = await mkdtemp(join(tmpdir(), 'faxdeck-master-'))
  onTestFinished(() => rm(path, { recursive: true, force: true }))
  return path
}

/** What is sealed beside the wrapping keys, one row of each kind. */
async function sealOneOfEach({ db: given }: Database, { seal }: Seals): Promise<void> {
  const db = given as unknown as Kysely<Record<string, Row>>
  const rows: Record<string, Row[]> = {
    saved_settings: [
      {
        key: 'phaxio_api_secret',
        value: seal('phaxio_api_secret', '"hush"'),
        sealed: 1,
        updated_at: at,
        updated_by: 'k',
      },
      { key: 'phaxio_api_key', value: '"plain"', sealed: 0, updated_at: at, updated_by: 'k' },
    ],
    setting_versions: [
      { ...{ place: 'database', key: 'api_key', saved_by: 'k', sealed: 1, seq: 1 }, value: seal('api_key', '"old"') },
      { ...{ place: 'file', key: 'api_key', saved_by: 'k', sealed: 1, seq: 2 }, value: seal('file:api_key', '"line"') },
    ],
    webhook_endpoints: [
      {
        ...{ id: 'w1', url: 'https://example.test/', events: 'fax.delivered', enabled: 1, created_at: at },
        ...{
          secret: seal('webhook:w1', 'whsec_a'),
          previous_secret: seal('webhook:w1', 'whsec_b'),
          previous_until: at,
        },
      },
    ],
    people: [
      {
        ...{ id: 'p1', name: 'Ann', email: 'ann@example.test', email_key: 'ann@example.test', role: 'member' },
        ...{ suspended: 0, created_at: at, created_by: 'k' },
      },
    ],
    person_totp: [
      { person_id: 'p1', secret: seal('totp p1', 'JBSWY3DP'), last_step: 1, created_at: at, last_used_at: at },
    ],
    person_challenges: [
      {
        ...{ sha256: 'c1', purpose: 'totp_add', person_id: 'p1', payload: seal('totp p1', 'MFRGG') },
        ...{ wrong_tries: 0, created_at: at, expires_at: at },
      },
      { sha256: 'c2', purpose: 'passkey_add', payload: 'not sealed', wrong_tries: 0, created_at: at, expires_at: at },
    ],
    oidc_logins: [{ state_sha256: 's1', browser_sha256: 'b1', sealed: seal('oidc login', '{}'), expires_at: at }],
    person_sessions: [
      {
        ...{ id: 'ps1', person_id: 'p1', token_sha256: 't1', rotated_at: at, created_at: at, active_at: at },
        ...{ address: '::1', browser: 'b', how: 'oidc', must_enrol: 0, id_token: seal('oidc id token', 'e.y.J') },
      },
    ],
  }
  for (const [table, values] of Object.entries(rows)) {
    for (const row of values) await db.insertInto(table).values(row).execute()
  }
}

/** Every sealed text, opened. */
async function opened({ db: given }: Database, { unseal }: Seals): Promise<string[]> {
  const db = given as unknown as Kysely<Record<string, Row>>
  const texts: string[] = []
  for (const { table, column, where = () => true, nameOf } of sealedColumns) {
    const rows = await db.selectFrom(table).selectAll().where(column, 'is not', null).execute()
    for (const row of rows.filter(where)) texts.push(unseal(nameOf(row), String(row[column])))
  }
  return texts
}

const engines = {
  SQLite: async (directory: string) => {
    await writeMigrated(join(directory, 'faxdeck.db'))
    return `sqlite:${directory}/faxdeck.db`
  },
  PostgreSQL: () => newPostgresDatabase(),
}

const tried = Object.entries(engines).filter(([engine]) => engine === 'SQLite' || process.env.FAXDECK_LONG)

describe.each(tried)('the master key on %s', (engine, makeDatabase) => {
  if (engine === 'PostgreSQL') waitForPostgres()

  /** An installation in which everything is sealed that can be, without a gateway that runs. */
  async function installation(given?: Buffer) {
    const directory = await folder()
    const url = await makeDatabase(directory)
    const env = { DATABASE_URL: url, ...(given && { FAXDECK_MASTER_KEY: given.toString('hex') }) }
    const withDatabase = async <T>(work: (database: Database) => Promise<T>) => {
      const database = await connect(url, { name: 'faxdeck test' })
      try {
        return await work(database)
      } finally {
        await database.close()
      }
    }
    const key = given ?? masterKey(null, directory)
    const document = Buffer.alloc(32, 5)
    const keysWith = (database: Database, seals: Seals) =>
      new DocumentKeys({ database, seals, choice: () => 'on', now })
    const before = await withDatabase(async (database) => {
      await keysWith(database, sealsOf(key)).keep('out/a.pdf', document, 'pending')
      await sealOneOfEach(database, sealsOf(key))
      return opened(database, sealsOf(key))
    })
    expect(before).toHaveLength(10)
    /** As a gateway that starts, which may be given another key than the installation began with. */
    const start = (other?: Buffer) =>
      withDatabase(async (database) => {
        const present = other ?? given ?? (await settleMasterKey(database, directory, now()))
        const seals = sealsOf(present, await fingerprintKeyOf(database, present))
        const found = await keysWith(database, seals).find('out/a.pdf')
        expect(found?.key).toEqual(document)
        expect(await opened(database, seals)).toEqual(before)
        expect(seals.fingerprint('account')).toBe(sealsOf(key).fingerprint('account'))
        return present
      })
    const refuses = (old: Buffer) =>
      withDatabase((database) => expect(opened(database, sealsOf(old))).rejects.toThrow(SealBroken))
    return { ...{ directory, url, env, key, start, refuses }, rotate: () => rotateMasterKey({ directory, env, now }) }
  }

  it('is changed: everything opens with the new one and nothing with the former, which stays for old backups', async () => {
    const { directory, key, start, refuses, rotate } = await installation()
    const done = await rotate()
    expect(done).toMatchObject({ state: 'changed', sealed: 10, unreadable: [] })
    const next = await start()
    expect(next).not.toEqual(key)
    await refuses(key)
    expect(Buffer.from((await readFile(done.former ?? '', 'utf8')).trim(), 'hex')).toEqual(key)
    expect((await readdir(directory)).filter((name) => name.endsWith('.next'))).toEqual([])
    expect((await rotate()).state).toBe('changed')
    expect(await start()).not.toEqual(next)
  })

  it('opens everything with one of both, wherever the change is killed, and can be changed on', async () => {
    const { directory, env, key, start, rotate } = await installation()
    for (const step of ['staged', 'sealing', 'sealed', 'adopted']) {
      const program = join(import.meta.dirname, 'testing', 'rotate-and-die.ts')
      const child = spawn(process.execPath, [program, directory, step], {
        env: { ...process.env, ...env },
        stdio: 'inherit',
      })
      expect(await once(child, 'exit')).toEqual([null, 'SIGKILL'])
      const present = await start()
      // Only what was killed before the commit leaves the former key in force.
      if (step === 'staged' || step === 'sealing') expect(present).toEqual(key)
      else expect(present).not.toEqual(key)
    }
    expect((await rotate()).state).toBe('changed')
    await start()
  })

  it('is not changed twice by whoever runs an interrupted change again', async () => {
    const { directory, env, start, refuses, key, rotate } = await installation()
    const dies = () => {
      throw new Error('killed')
    }
    const onStep = (step: string) => (step === 'sealed' ? dies() : undefined)
    await expect(rotateMasterKey({ directory, env, now, onStep })).rejects.toThrow('killed')
    expect(await rotate()).toMatchObject({ state: 'finished' })
    await start()
    await refuses(key)
  })

  it('that the environment gives is changed to the one that is given with it', async () => {
    const [key, next] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
    const { directory, env, start, refuses, rotate } = await installation(key)
    await expect(rotate()).rejects.toThrow(/set FAXDECK_NEW_MASTER_KEY/)
    const both = { directory, env: { ...env, FAXDECK_NEW_MASTER_KEY: next.toString('hex') }, now }
    expect(await rotateMasterKey(both)).toMatchObject({ state: 'changed', former: null })
    expect(await rotateMasterKey(both)).toMatchObject({ state: 'finished' })
    await start(next)
    await refuses(key)
    const wrong = { ...env, FAXDECK_NEW_MASTER_KEY: 'short' }
    await expect(rotateMasterKey({ directory, env: wrong, now })).rejects.toThrow(
      /FAXDECK_NEW_MASTER_KEY cannot be used/,
    )
  })

  it('is another one than the database knows: nothing is changed', async () => {
    const { directory, env, start, key } = await installation(Buffer.alloc(32, 1))
    const wrong = { ...env, FAXDECK_MASTER_KEY: '33'.repeat(32), FAXDECK_NEW_MASTER_KEY: '44'.repeat(32) }
    await expect(rotateMasterKey({ directory, env: wrong, now })).rejects.toThrow(/they were sealed with another one/)
    await start(key)
  })

  it('says what the former key did not open, and leaves it as it was', async () => {
    const { url, rotate } = await installation()
    const database = await connect(url, { name: 'faxdeck test' })
    await database.db
      .updateTable('person_totp')
      .set({ secret: sealsOf(Buffer.alloc(32, 9)).seal('totp p1', 'x') })
      .execute()
    const { secret } = await database.db.selectFrom('person_totp').select('secret').executeTakeFirstOrThrow()
    await database.close()
    expect(await rotate()).toMatchObject({ sealed: 9, unreadable: ['person_totp p1'] })
    const after = await connect(url, { name: 'faxdeck test' })
    expect((await after.db.selectFrom('person_totp').select('secret').executeTakeFirstOrThrow()).secret).toBe(secret)
    await after.close()
  })

  it('is changed under a gateway that was stopped, which sends and reads on, and never under one that runs', async () => {
    const directory = await folder()
    const env = { DATABASE_URL: await makeDatabase(directory) }
    const start = () => startGateway({ directory, env })
    const gateway = await start()
    const file = new File(['Dear colleague, the results are in.'], 'letter.txt')
    const { id } = await gateway.client.submitFax({ form: { to: '+15555550123', file } })
    const document = Buffer.from(await (await gateway.client.getJobPdf({ params: { id } })).arrayBuffer())
    await expect(rotateMasterKey({ directory, env, now })).rejects.toThrow(/gateway is/)
    await gateway.stop()
    await rotateMasterKey({ directory, env, now })
    await rotateKey({ directory, env, now, onProgress: () => undefined })
    const again = await start()
    expect(Buffer.from(await (await again.client.getJobPdf({ params: { id } })).arrayBuffer())).toEqual(document)
    const { items } = await again.client.listLogs({ query: { event: 'master_key_changed' } })
    expect(items).toHaveLength(1)
    expect(await again.client.verifyAuditChain({})).toMatchObject({ intact: true })
  })
})

describe('a backup', () => {
  it('is refused when the master key was changed while it was made', async () => {
    const directory = await folder()
    await writeMigrated(join(directory, 'faxdeck.db'))
    masterKey(null, directory)
    const env = { DATABASE_URL: `sqlite:${directory}/faxdeck.db` }
    const target = join(await folder(), 'backup')
    const program = join(import.meta.dirname, 'testing', 'rotate-and-die.ts')
    const rotate = () => execFileSync(process.execPath, [program, directory], { env: { ...process.env, ...env } })
    let rotated: unknown
    const onProgress = () => void (rotated ??= rotate())
    const made = backUp({ directory, target, env, now: now(), onProgress })
    await expect(made).rejects.toThrow(/The master key was changed while the backup was made/)
    expect(await readdir(target)).not.toContain('manifest.json')
  })
})

describe('what is sealed with the master key', () => {
  it('is known to its change: whoever seals something new names where it is stored', async () => {
    const source = await readFile(join(import.meta.dirname, '../base/settings/seal.ts'), 'utf8')
    const [, list = ''] = source.split('export const sealNames')
    const names = [...list.matchAll(/^ {2}(\w+):/gm)].map(([, name]) => name)
    const reseal = await readFile(join(import.meta.dirname, 'rotate-master-key.ts'), 'utf8')
    expect(names).toContain('savedSetting')
    for (const name of names) if (name !== 'fingerprintKey') expect(reseal).toMatch(new RegExp(`\\b${name}\\b`))
    // What sheets, quotes and links carry is sealed too, and stored nowhere.
    const away = ['features/approvals/quote-ids.ts', 'fax/facts/sheet-code.ts', 'features/webhooks/document.ts']
    const sources = join(import.meta.dirname, '..')
    for (const path of await readdir(sources, { recursive: true })) {
      if (!path.endsWith('.ts') || /test/.test(path) || away.includes(path)) continue
      for (const [call] of (await readFile(join(sources, path), 'utf8')).matchAll(/seals\.seal\([^)]*/g)) {
        expect(call).toContain('sealNames.')
      }
    }
  })
})
