import { createHash, pbkdf2Sync, randomBytes, scryptSync } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startGateway } from '../../testing/start-gateway.ts'
import { importInstallation } from './apply.ts'
import { planImport } from './plan.ts'

const pdf = (text: string) => Buffer.from(`%PDF-1.4\n% ${text}\n%%EOF\n`)
const id = (letter: string) => letter.repeat(32)

const schema = `
create table fax_jobs (id varchar(40) primary key, to_number varchar(64), file_name varchar(255), tiff_path varchar(512),
  status varchar(32), error text, pages integer, backend varchar(20), provider_sid varchar(100), pdf_url varchar(512),
  pdf_token varchar(128), pdf_token_expires_at datetime, created_at datetime, updated_at datetime);
create table inbound_fax (id varchar(40) primary key, from_number varchar(64), to_number varchar(64), status varchar(32),
  backend varchar(20), inbound_backend varchar(20), provider_sid varchar(100), pages integer, size_bytes integer,
  sha256 varchar(64), pdf_path varchar(512), tiff_path varchar(512), mailbox_label varchar(100),
  retention_until datetime, pdf_token varchar(128), pdf_token_expires_at datetime, error text, created_at datetime,
  received_at datetime, updated_at datetime);
create table api_keys (id varchar(40) primary key, key_id varchar(32), key_hash varchar(200), name varchar(100),
  owner varchar(100), scopes varchar(200), created_at datetime, last_used_at datetime, expires_at datetime,
  revoked_at datetime, note text);`

/** A key as an earlier gateway made it: its hash is of the part after the key's id. */
function oldKey(keyId: string, kind: 'scrypt' | 'pbkdf2' = 'scrypt') {
  const [secret, salt] = [randomBytes(32).toString('base64url'), randomBytes(16)]
  const b64 = (bytes: Buffer) => bytes.toString('base64url')
  const hash =
    kind === 'scrypt'
      ? `scrypt$${b64(salt)}$${b64(scryptSync(secret, salt, 32, { N: 16_384, r: 8, p: 1 }))}$n=16384$r=8$p=1`
      : `pbkdf2$${b64(salt)}$${b64(pbkdf2Sync(secret, salt, 200_000, 32, 'sha256'))}$rounds=200000`
  return { token: `old_live_${keyId}_${secret}`, hash, keyId }
}

const time = '2025-10-06 09:00:00.000000'

/** The folder of an earlier gateway whose data lay at /faxdata in its container. */
function oldInstallation(env = '') {
  const folder = mkdtempSync(join(tmpdir(), 'faxdeck-old-'))
  const directory = mkdtempSync(join(tmpdir(), 'faxdeck-new-'))
  onTestFinished(() => {
    for (const each of [folder, directory]) rmSync(each, { recursive: true, force: true })
  })
  mkdirSync(join(folder, 'faxdata/inbound'), { recursive: true })
  if (env !== '') writeFileSync(join(folder, '.env'), env)
  const keys = { program: oldKey('0123456789ab'), slow: oldKey('0123456789ac', 'pbkdf2'), gone: oldKey('0123456789ad') }
  const database = new Sqlite(join(folder, 'faxdata/gateway.db'))
  database.exec(schema)
  const job = database.prepare(
    `insert into fax_jobs (id, to_number, file_name, status, error, pages, backend, provider_sid, created_at, updated_at)
     values (?, ?, ?, ?, ?, ?, 'phaxio', ?, '${time}', '${time}')`,
  )
  job.run(id('a'), '+15555550123', 'letter.pdf', 'SUCCESS', null, 2, '77')
  job.run(id('b'), '+15555550124', null, 'failed', 'busy', null, null)
  job.run(id('c'), '+15555550125', 'later.txt', 'in_progress', null, null, '78')
  const received = database.prepare(
    `insert into inbound_fax (id, from_number, to_number, status, backend, provider_sid, pages, pdf_path, created_at, received_at, updated_at)
     values (?, '+15555550190', '+15555550100', 'received', 'phaxio', ?, 1, ?, '${time}', '${time}', '${time}')`,
  )
  received.run(id('d'), '90', `/faxdata/inbound/${id('d')}.pdf`)
  const key = database.prepare(
    `insert into api_keys (id, key_id, key_hash, name, scopes, created_at, revoked_at) values (?, ?, ?, ?, ?, '${time}', ?)`,
  )
  key.run('1', keys.program.keyId, keys.program.hash, 'Front desk', 'fax:send,fax:read,inbound:list,inbound:read', null)
  key.run('2', keys.slow.keyId, keys.slow.hash, null, 'fax:read', null)
  key.run('3', keys.gone.keyId, keys.gone.hash, null, '*', time)
  database.close()
  writeFileSync(join(folder, `faxdata/${id('a')}.pdf`), pdf('sent'))
  writeFileSync(join(folder, `faxdata/${id('c')}-later.txt`), 'later')
  writeFileSync(join(folder, `faxdata/inbound/${id('d')}.pdf`), pdf('received'))
  return { folder, directory, keys }
}

/** Every file with its content and time. */
const stateOf = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .map((path) => [path, statSync(path).mtimeMs, createHash('sha256').update(readFileSync(path)).digest('hex')])

const now = () => new Date('2026-11-23T12:00:00.000Z')
const plan = (folder: string) => planImport(folder, { now: now() })
const apply = async (folder: string, directory: string, fail?: () => void) =>
  importInstallation({ plan: await plan(folder), directory, env: {}, now, onProgress: fail ?? (() => undefined) })

describe('the import of an earlier gateway', () => {
  it('brings faxes, documents and keys along, whose tokens go on working, and leaves the old files as they are', async () => {
    const { folder, directory, keys } = oldInstallation('INBOUND_RETENTION_DAYS=0')
    const before = stateOf(folder)
    expect(await apply(folder, directory)).toEqual({
      jobs: 3,
      inbound: 1,
      keys: 2,
      documents: 3,
      settings: ['INBOUND_RETENTION_DAYS'],
    })
    expect(stateOf(folder)).toEqual(before)

    const { app, client } = await startGateway({ directory })
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
    const { folder, directory } = oldInstallation()
    await apply(folder, directory)
    expect(await apply(folder, directory)).toEqual({ jobs: 0, inbound: 0, keys: 0, documents: 0, settings: [] })
  })

  it('changes nothing when it breaks off half-way', async () => {
    const { folder, directory } = oldInstallation()
    const broken = apply(folder, directory, () => {
      throw new Error('The power is out.')
    })
    await expect(broken).rejects.toThrow('The power is out.')
    const left = readdirSync(join(directory, 'documents'), { recursive: true, encoding: 'utf8' })
    expect(left.filter((name) => /\.(pdf|txt)$/.test(name))).toEqual([])
    expect(await apply(folder, directory)).toMatchObject({ jobs: 3, documents: 3 })
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
    const { folder, directory } = oldInstallation(lines.join('\n'))
    const { settings, notes } = await plan(folder)
    expect(settings.left.map(({ name }) => name)).toEqual([
      'MAX_FILE_SIZE_MB',
      'DATABASE_URL',
      'FAX_SPEELING',
      'SINCH_INBOUND_HMAC_SECRET',
    ])
    expect(notes.join(' ')).toContain('1 document of a received fax is older than 30 days')
    const { settings: written } = await apply(folder, directory)
    expect(written).toContain('FAX_DISABLED')
    const { client } = await startGateway({ directory, env: { FAX_DISABLED: '' } })
    const { rows } = await client.describeSettings({})
    const valueOf = (name: string) => rows.find(({ env }) => env === name)?.value
    expect([valueOf('FAX_BACKEND'), valueOf('FAX_DISABLED')]).toEqual(['phaxio', false])
  })

  it('is refused for a folder without such a database', async () => {
    const { directory } = oldInstallation()
    await expect(plan(directory)).rejects.toThrow('holds no database that can be imported')
  })
})
