import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { describe, expect, it, onTestFinished } from 'vitest'
import { connect } from '../../base/db/connect.ts'
import { newPostgresDatabase, waitForPostgres } from '../../testing/databases.ts'
import { startGateway } from '../../testing/start-gateway.ts'
import { importInstallation } from './apply.ts'
import { planImport } from './plan.ts'
import { id, oldInstallation, pdf } from './testing/old-installation.ts'

/** Every file with its content and time. */
const stateOf = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => [path, statSync(path).mtimeMs, createHash('sha256').update(readFileSync(path)).digest('hex')])

const now = () => new Date('2026-11-23T12:00:00.000Z')
const plan = (folder: string) => planImport(folder, { now: now() })

/** The environment of a gateway with a database of its own: the file in its data directory, or a server. */
const databases = {
  SQLite: async (): Promise<Record<string, string>> => ({}),
  PostgreSQL: async (): Promise<Record<string, string>> => ({
    DATABASE_URL: await newPostgresDatabase({ tables: false }),
  }),
}

describe.each(['SQLite', 'PostgreSQL'] as const)('the import of an earlier gateway into %s', (engine) => {
  if (engine === 'PostgreSQL') waitForPostgres()

  /** An old folder, and how it is imported into a new installation. */
  async function installation(...old: Parameters<typeof oldInstallation>) {
    const { folder, directory, keys } = oldInstallation(...old)
    const env = await databases[engine]()
    const apply = async (onProgress: () => void = () => undefined) =>
      importInstallation({ plan: await plan(folder), directory, env, now, onProgress })
    const start = (more: Record<string, string> = {}) => startGateway({ directory, env: { ...env, ...more } })
    return { folder, directory, keys, apply, start }
  }
  it('brings faxes, documents and keys along, whose tokens go on working, and leaves the old files as they are', async () => {
    const { folder, keys, apply, start } = await installation('INBOUND_RETENTION_DAYS=0')
    const before = stateOf(folder)
    expect(await apply()).toEqual({
      jobs: 3,
      inbound: 1,
      keys: 2,
      groups: 0,
      documents: 3,
      here: { fax_jobs: 3, inbound_faxes: 1, api_keys: 2, mailboxes: 0, inbound_rules: 0 },
      left: [],
      settings: ['INBOUND_RETENTION_DAYS'],
    })
    expect(stateOf(folder)).toEqual(before)

    const { app, client } = await start()
    const get = (url: string, token: string) => app.inject({ url, headers: { host: 'localhost', 'x-api-key': token } })
    // The first time by the old hash, then by ours.
    for (let time = 0; time < 2; time++) {
      const sent = await get(`/fax/${id('a')}`, keys.program.token)
      expect([sent.statusCode, sent.json()]).toEqual([
        200,
        expect.objectContaining({
          to: '+15555550123',
          status: 'SUCCESS',
          backend: 'phaxio',
          provider_sid: '77',
          pages: 2,
        }),
      ])
    }
    expect((await get(`/fax/${id('a')}`, keys.slow.token)).statusCode).toBe(200)
    expect((await get(`/fax/${id('a')}`, keys.gone.token)).statusCode).toBe(401)
    const wrong = keys.program.token.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))
    expect((await get(`/fax/${id('a')}`, wrong)).statusCode).toBe(401)
    expect((await get(`/inbound/${id('d')}/pdf`, keys.program.token)).rawPayload).toEqual(pdf('received'))
    const document = await client.getJobPdf({ params: { id: id('a') } })
    expect(Buffer.from(await document.arrayBuffer())).toEqual(pdf('sent'))

    const { jobs, total } = await client.listJobs({ query: {} })
    expect([total, jobs.length]).toEqual([3, 3])
    const unknown = jobs.find((job) => job.id === id('c'))
    expect(unknown).toMatchObject({ status: 'FAILED', needs_attention: true, error_kind: 'uncertain' })
    expect((await client.listApiKeys({})).map((key) => key.key_id).toSorted()).toEqual(['0123456789ab', '0123456789ac'])
    expect(await client.verifyAuditChain({})).toMatchObject({ intact: true })
  })

  it('can be repeated: what is there already is passed over', async () => {
    const { apply } = await installation()
    await apply()
    expect(await apply()).toMatchObject({ jobs: 0, inbound: 0, keys: 0, documents: 0, settings: [] })
  })

  it('changes nothing when it breaks off half-way', async () => {
    const { directory, apply } = await installation()
    const broken = apply(() => {
      throw new Error('The power is out.')
    })
    await expect(broken).rejects.toThrow('The power is out.')
    const left = readdirSync(join(directory, 'documents'), { recursive: true, encoding: 'utf8' })
    expect(left.filter((name) => /\.(pdf|txt)$/.test(name))).toEqual([])
    expect(await apply()).toMatchObject({ jobs: 3, documents: 3 })
  })

  it('takes over the settings that are good, and says what to do about all others at once', async () => {
    const lines = [
      'FAX_BACKEND=phaxio',
      'PHAXIO_API_KEY=k',
      'PHAXIO_API_SECRET=s',
      'PHAXIO_CALLBACK_URL=https://fax.example.org/phaxio-callback',
      'MAX_FILE_SIZE_MB=500',
      'DATABASE_URL=sqlite:////faxdata/gateway.db',
      'SINCH_INBOUND_HMAC_SECRET=x',
      'FAX_SPEELING=1',
      'TZ=UTC',
    ]
    const { folder, apply, start } = await installation(lines.join('\n'))
    const { settings, notes } = await plan(folder)
    expect(settings.left.map(({ name }) => name)).toEqual([
      'MAX_FILE_SIZE_MB',
      'DATABASE_URL',
      'FAX_SPEELING',
      'SINCH_INBOUND_HMAC_SECRET',
    ])
    expect(notes.join(' ')).toContain('1 document of a received fax is older than 30 days')
    const { settings: written } = await apply()
    expect(written).toContain('FAX_DISABLED')
    const { client } = await start({ FAX_DISABLED: '' })
    const { rows } = await client.describeSettings({})
    const valueOf = (name: string) => rows.find(({ env }) => env === name)?.value
    expect([valueOf('FAX_BACKEND'), valueOf('FAX_DISABLED')]).toEqual(['phaxio', false])
  })

  it('may run twice at once: every fax is imported once', async () => {
    const { apply, start } = await installation()
    const both = await Promise.allSettled([apply(), apply()])
    const done = both.flatMap((each) => (each.status === 'fulfilled' ? [each.value.jobs] : []))
    const refused = both.flatMap((each) => (each.status === 'rejected' ? [String(each.reason)] : []))
    const expected = /Another (gateway is running|import into this database is running)/
    expect(refused.filter((reason) => !expected.test(reason))).toEqual([])
    expect(done.reduce((sum, jobs) => sum + jobs, 0)).toBe(3)
    expect(await apply()).toMatchObject({ jobs: 0, documents: 0 })
    const { client } = await start()
    expect((await client.listJobs({ query: {} })).total).toBe(3)
    expect(await client.verifyAuditChain({})).toMatchObject({ intact: true })
  })

  it('brings ten received faxes with their documents into the groups of their mailboxes, and says what it left', async () => {
    const { folder, apply, start } = await installation('INBOUND_RETENTION_DAYS=0', (database) => {
      const received = database.prepare(
        `insert into inbound_faxes (id, to_number, status, backend, provider_sid, pages, mailbox_label, received_at, updated_at)
         values (?, '+15555550100', 'received', 'sinch', ?, 1, ?, '2025-10-06 09:00:00', '2025-10-06 09:00:00')`,
      )
      for (let n = 0; n < 9; n++) received.run(String(n).repeat(32), `s${n}`, n < 4 ? 'Radiology' : null)
      received.run('no-id', 's10', null)
      database.exec(`insert into mailboxes (id, label, allowed_scopes) values ('1', 'radiology', 'inbound:read'), ('2', 'Front desk', null);
        insert into inbound_rules (id, to_number, mailbox_label) values ('1', '(555) 555-0100', 'Radiology'), ('2', 'nobody', 'Front desk');
        create table audit_log (id integer); insert into audit_log values (1), (2);`)
    })
    for (let n = 0; n < 9; n++)
      writeFileSync(join(folder, `faxdata/inbound/${String(n).repeat(32)}.pdf`), pdf(`page ${n}`))
    const { left, rows } = await plan(folder)
    expect(rows).toEqual({ fax_jobs: 3, inbound_faxes: 11, api_keys: 3, mailboxes: 2, inbound_rules: 2 })
    expect(left).toEqual([
      '1 row has no usable id or time and cannot be imported.',
      'The documents of 1 sent fax are not in the folder.',
      'Mailboxes whose scopes are not imported: radiology. Add people to their groups instead.',
      'The table audit_log is not imported: 2 rows.',
    ])
    expect(await apply()).toMatchObject({
      inbound: 10,
      groups: 2,
      here: { inbound_faxes: 10, inbound_rules: 1 },
      left: [expect.stringMatching(/nobody of the mailbox Front desk/)],
    })
    expect(await apply()).toMatchObject({ inbound: 0, groups: 0, here: { inbound_faxes: 10, inbound_rules: 1 } })
    const { client } = await start()
    const groups = await client.listGroups({})
    expect(groups.map(({ name, numbers }) => [name, numbers])).toEqual([
      ['Front desk', []],
      ['radiology', ['+15555550100']],
    ])
    const radiology = groups.find(({ name }) => name === 'radiology')?.id ?? ''
    expect((await client.listInbound({ query: { group: radiology } })).map(({ id }) => id).toSorted()).toHaveLength(4)
    const document = await client.getInboundPdf({ params: { id: '8'.repeat(32) } })
    expect(Buffer.from(await document.arrayBuffer())).toEqual(pdf('page 8'))
  })

  it('takes rows that only SQLite would keep', async () => {
    const { apply, start } = await installation('', (database) => {
      database
        .prepare(`update fax_jobs set error = ?, pages = ?, file_name = ? where id = ?`)
        .run('cut off\0 here', 99_999_999_999, 'a\0b.pdf', id('b'))
    })
    expect(await apply()).toMatchObject({ jobs: 3 })
    const { client } = await start()
    const { jobs } = await client.listJobs({ query: {} })
    expect(jobs.find((job) => job.id === id('b'))).toMatchObject({ error: 'cut off here', file_name: 'ab.pdf' })
  })
})

describe('a folder that cannot be imported', () => {
  it('is one whose database lacks a table that holds faxes or keys', async () => {
    const { folder } = oldInstallation('', (database) => database.exec('drop table inbound_faxes'))
    await expect(plan(folder)).rejects.toThrow('has no table inbound_faxes')
    const without = ['inbound_faxes']
    expect(await planImport(folder, { without, now: now() })).toMatchObject({ rows: { fax_jobs: 3, inbound_faxes: 0 } })
  })

  it('is refused in a sentence', async () => {
    const { directory } = oldInstallation()
    await expect(plan(directory)).rejects.toThrow('holds no database that can be imported')
  })
})

describe('the database of an earlier gateway', () => {
  it('is not used as it is: the start is refused, and the file stays as it was', async () => {
    const { folder, directory } = oldInstallation()
    const before = stateOf(folder)
    const env = { DATABASE_URL: `sqlite:///${folder}/faxdata/gateway.db` }
    await expect(startGateway({ directory, env })).rejects.toThrow('import its faxes with "faxdeck import"')
    expect(stateOf(folder)).toEqual(before)
  })

  it('is not used as it is on a server either: no table is made there', async () => {
    const url = await newPostgresDatabase({ tables: false })
    const { db, close } = await connect(url)
    onTestFinished(close)
    await sql`create table fax_jobs (id text primary key)`.execute(db)
    const { directory } = oldInstallation()
    await expect(startGateway({ directory, env: { DATABASE_URL: url } })).rejects.toThrow('"faxdeck import"')
    const tables = await sql<{
      name: string
    }>`select tablename as name from pg_tables where schemaname = 'public'`.execute(db)
    expect(tables.rows).toEqual([{ name: 'fax_jobs' }])
  })
})
