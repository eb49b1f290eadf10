import { pbkdf2Sync, randomBytes, scryptSync } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { onTestFinished } from 'vitest'

/** A document that says so. */
export const pdf = (text: string) => Buffer.from(`%PDF-1.4\n% ${text}\n%%EOF\n`)
/** 32 hexadecimal digits. */
export const id = (letter: string) => letter.repeat(32)

const schema = `
create table fax_jobs (id varchar(40) primary key, to_number varchar(64), file_name varchar(255), tiff_path varchar(512),
  status varchar(32), error text, pages integer, backend varchar(20), provider_sid varchar(100), pdf_url varchar(512),
  pdf_token varchar(128), pdf_token_expires_at datetime, created_at datetime, updated_at datetime);
create table inbound_faxes (id varchar(40) primary key, from_number varchar(64), to_number varchar(64), status varchar(32),
  backend varchar(20), provider_sid varchar(100), pages integer, size_bytes integer,
  sha256 varchar(64), pdf_path varchar(512), tiff_path varchar(512), mailbox_label varchar(100),
  retention_until datetime, pdf_token varchar(128), pdf_token_expires_at datetime, error text, created_at datetime,
  received_at datetime, updated_at datetime);
create table api_keys (id varchar(40) primary key, key_id varchar(32), key_hash varchar(200), name varchar(100),
  owner varchar(100), scopes varchar(200), created_at datetime, last_used_at datetime, expires_at datetime,
  revoked_at datetime, note text);
create table mailboxes (id varchar(40) primary key, label varchar(100) unique, allowed_scopes varchar(200), note text,
  created_at datetime, updated_at datetime);
create table inbound_rules (id varchar(40) primary key, to_number varchar(64), mailbox_label varchar(100), created_at datetime);
create table inbound_events (id varchar(40) primary key, provider_sid varchar(100), event_type varchar(40), created_at datetime);`

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

/**
 * The folder of an earlier gateway whose data lay at /faxdata in its container, and an empty one beside it.
 * @param change what else stands in its database
 */
export function oldInstallation(env = '', change: (database: Sqlite.Database) => void = () => undefined) {
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
    `insert into inbound_faxes (id, from_number, to_number, status, backend, provider_sid, pages, pdf_path, created_at, received_at, updated_at)
     values (?, '+15555550190', '+15555550100', 'received', 'phaxio', ?, 1, ?, '${time}', '${time}', '${time}')`,
  )
  received.run(id('d'), '90', `/faxdata/inbound/${id('d')}.pdf`)
  const key = database.prepare(
    `insert into api_keys (id, key_id, key_hash, name, scopes, created_at, revoked_at) values (?, ?, ?, ?, ?, '${time}', ?)`,
  )
  key.run('1', keys.program.keyId, keys.program.hash, 'Front desk', 'fax:send,fax:read,inbound:list,inbound:read', null)
  key.run('2', keys.slow.keyId, keys.slow.hash, null, 'fax:read', null)
  key.run('3', keys.gone.keyId, keys.gone.hash, null, '*', time)
  change(database)
  database.close()
  writeFileSync(join(folder, `faxdata/${id('a')}.pdf`), pdf('sent'))
  writeFileSync(join(folder, `faxdata/${id('c')}-later.txt`), 'later')
  writeFileSync(join(folder, `faxdata/inbound/${id('d')}.pdf`), pdf('received'))
  return { folder, directory, keys }
}
