import { createHash } from 'node:crypto'
import type { Environment } from '@faxdeck/settings'
import { sql } from 'kysely'
import type { Database, Tx, Reader } from '../base/db/database.ts'
import { inPages } from '../base/db/in-pages.ts'
import type { Tables } from '../base/db/tables/tables.ts'
import { databaseOf } from './backup.ts'
import { UpkeepProblem } from './copy.ts'
import { withDatabase } from './hold.ts'

type Table = keyof Tables

/** Every table with its key, in an order in which what is named stands before what names it. */
const keys = {
  fax_jobs: ['id'],
  fax_metadata: ['name', 'value', 'job_id'],
  fax_attempts: ['id'],
  fax_timeline: ['job_id', 'n'],
  job_counts: ['backend', 'status'],
  queue: ['id'],
  idempotency_keys: ['caller_key_id', 'idempotency_key'],
  document_tokens: ['token_sha256'],
  inbound_faxes: ['id'],
  inbound_order: ['id'],
  activity_hours: ['hour'],
  api_keys: ['key_id'],
  people: ['id'],
  person_sessions: ['id'],
  person_identities: ['issuer', 'subject'],
  oidc_logins: ['state_sha256'],
  oidc_logouts: ['token_sha256'],
  person_totp: ['person_id'],
  person_passkeys: ['id'],
  person_recovery_codes: ['sha256'],
  person_challenges: ['sha256'],
  groups: ['id'],
  group_numbers: ['number'],
  group_members: ['group_id', 'person_id'],
  fax_openings: ['id'],
  prices: ['id'],
  trail_copies: ['sink'],
  saved_settings: ['key'],
  setting_versions: ['place', 'key', 'saved_by'],
  installed_manifests: ['id'],
  audit_events: ['seq'],
  audit_head: ['id'],
  pairing_codes: ['code_sha256'],
  provider_sweeps: ['provider', 'direction'],
  webhook_endpoints: ['id'],
  webhook_deliveries: ['id'],
  webhook_attempts: ['delivery_id', 'n'],
  fax_approvals: ['id'],
  fax_uploads: ['id'],
  installation: ['mark'],
  storage_places: ['kind'],
  stray_documents: ['document_key'],
  wrapping_keys: ['id'],
  document_keys: ['document_key'],
  legal_holds: ['id'],
  retention_rules: ['direction', 'group_id'],
  cleaning_state: ['id'],
  clock_setbacks: ['id'],
  document_removals: ['document_key'],
  sent_pages: ['id'],
  received_pages: ['id'],
  page_readings: ['fax_id'],
  number_memory: ['provider', 'number'],
  number_spelling: ['list'],
  line_hours: ['provider', 'hour'],
  bulk_actions: ['id'],
  bulk_parts: ['bulk_id', 'n'],
  broadcasts: ['id'],
  broadcast_recipients: ['broadcast_id', 'n'],
} as const satisfies Record<Table, readonly string[]>
const tables = Object.keys(keys) as Table[]
const atOnce = 500

type Row = Record<string, unknown>

/** What a table held: the checksum is over its rows in any order. */
export interface MovedTable {
  table: string
  rows: number
  sha256: string
}

/** Counts rows and adds up their hashes, so that the order does not matter. */
class Tally {
  rows = 0
  #sum = 0n

  add(row: Row): void {
    const text = JSON.stringify(Object.entries(row).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    this.#sum += BigInt(`0x${createHash('sha256').update(text).digest('hex')}`)
    this.rows += 1
  }

  of(table: string): MovedTable {
    return { table, rows: this.rows, sha256: BigInt.asUintN(256, this.#sum).toString(16).padStart(64, '0') }
  }
}

/** The rows of a table, page after page by its key. */
export function pagesOf(db: Reader, table: Table): AsyncGenerator<Row[], void> {
  const columns = keys[table].map((key) => sql.ref(key))
  return inPages<Row>(atOnce, (last) => {
    let query = db.selectFrom(table).selectAll().limit(atOnce)
    for (const column of columns) query = query.orderBy(column)
    if (!last) return query.execute()
    const values = keys[table].map((key) => last[key])
    return query.where(sql<boolean>`(${sql.join(columns)}) > (${sql.join(values)})`).execute()
  })
}

async function tallyOf(db: Reader, table: Table): Promise<MovedTable> {
  const tally = new Tally()
  for await (const rows of pagesOf(db, table)) for (const row of rows) tally.add(row)
  return tally.of(table)
}

/**
 * An empty database has these rows too: the end of the audit chain at its beginning, a mark of its own, numbers to spell,
 * no time and no place of a received fax.
 */
const born: readonly Table[] = ['audit_head', 'inbound_order', 'installation', 'number_spelling', 'cleaning_state']

async function makeRoom(tx: Tx, shownUrl: string): Promise<void> {
  const head = await tx.selectFrom('audit_head').select('seq').executeTakeFirst()
  for (const table of tables.filter((each) => !born.includes(each))) {
    const found = await tx.selectFrom(table).selectAll().limit(1).executeTakeFirst()
    if (found || (head && head.seq > 0)) {
      throw new UpkeepProblem(`${shownUrl} already has data, and nothing is overwritten. Choose an empty database.`)
    }
  }
  for (const table of born) await tx.deleteFrom(table).execute()
}

async function moveTable(from: Database, tx: Tx, table: Table): Promise<MovedTable> {
  const tally = new Tally()
  for await (const rows of pagesOf(from.db, table)) {
    for (const row of rows) tally.add(row)
    await tx.insertInto(table).values(rows).execute()
  }
  const sent = tally.of(table)
  const arrived = await tallyOf(tx, table)
  if (arrived.rows === sent.rows && arrived.sha256 === sent.sha256) return arrived
  throw new UpkeepProblem(`The table ${table} did not arrive unchanged. Nothing was changed in the new database.`)
}

/** Pages that come later are numbered after those that were moved. */
async function goOnNumbering(tx: Tx, pages: string): Promise<void> {
  const last = sql`(select coalesce(max(id), 0) + 1 from ${sql.table(pages)})`
  await sql`select setval(pg_get_serial_sequence(${pages}, 'id'), ${last}, false)`.execute(tx)
}

interface MigrateRequest {
  directory: string
  env: Environment
  /** `postgres://…` of an empty database. */
  to: string
  onProgress: (table: string) => void
}

/**
 * Moves everything from the database file of a data directory to PostgreSQL, in one transaction that commits only when
 * every table has arrived with the same rows. The file stays as it was.
 * @throws {UpkeepProblem} while the gateway runs, or when the new database is not empty or cannot be used
 */
export async function moveToPostgres({ directory, env, to, onProgress }: MigrateRequest): Promise<MovedTable[]> {
  if (!/^postgres(ql)?:\/\//.test(to)) throw new UpkeepProblem('Give the address of the new database: postgres://…')
  const move = (source: Database, { db, shownUrl }: Database) =>
    db.transaction().execute(async (tx) => {
      await makeRoom(tx, shownUrl)
      const moved: MovedTable[] = []
      for (const table of tables) {
        onProgress(table)
        moved.push(await moveTable(source, tx, table))
      }
      for (const pages of ['sent_pages', 'received_pages']) await goOnNumbering(tx, pages)
      return moved
    })
  const slow = { purpose: 'maintenance' } as const
  const file = `sqlite:${databaseOf(directory, env)}`
  return withDatabase(file, (source) => withDatabase(to, (target) => move(source, target), slow), slow)
}
