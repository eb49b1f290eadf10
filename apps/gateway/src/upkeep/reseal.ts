import { type Kysely, sql } from 'kysely'
import type { Tx } from '../base/db/database.ts'
import type { Tables } from '../base/db/tables/tables.ts'
import { sealNames } from '../base/settings/seal-names.ts'
import { SealBroken, type Seals } from '../base/settings/seal.ts'

type Row = Record<string, string | number | null>

interface SealedColumn {
  table: keyof Tables
  key: readonly string[]
  column: string
  /** Rows of which the text is sealed. */
  where?: (row: Row) => boolean
  nameOf: (row: Row) => string
}

const isFlagged = ({ sealed }: Row) => sealed === 1
const idOf = ({ id }: Row) => String(id)

/** All of them. What a document's own key or the wrapping key seals is not among them: it stays as it is. */
export const sealedColumns: readonly SealedColumn[] = [
  { table: 'wrapping_keys', key: ['id'], column: 'sealed', nameOf: (row) => sealNames.wrappingKey(idOf(row)) },
  {
    ...{ table: 'saved_settings', key: ['key'], column: 'value', where: isFlagged },
    nameOf: ({ key }) => sealNames.savedSetting(String(key)),
  },
  {
    ...{ table: 'setting_versions', key: ['place', 'key', 'saved_by'], column: 'value', where: isFlagged },
    nameOf: ({ place, key }) => sealNames[place === 'file' ? 'fileLine' : 'savedSetting'](String(key)),
  },
  { table: 'webhook_endpoints', key: ['id'], column: 'secret', nameOf: (row) => sealNames.webhook(idOf(row)) },
  { table: 'webhook_endpoints', key: ['id'], column: 'previous_secret', nameOf: (row) => sealNames.webhook(idOf(row)) },
  {
    ...{ table: 'person_totp', key: ['person_id'], column: 'secret' },
    nameOf: ({ person_id: person }) => sealNames.totp(String(person)),
  },
  {
    ...{ table: 'person_challenges', key: ['sha256'], column: 'payload' },
    where: ({ purpose }) => purpose === 'totp_add',
    nameOf: ({ person_id: person }) => sealNames.totp(String(person)),
  },
  { table: 'oidc_logins', key: ['state_sha256'], column: 'sealed', nameOf: () => sealNames.oidcLogin },
  { table: 'person_sessions', key: ['id'], column: 'id_token', nameOf: () => sealNames.idToken },
]

/** How many texts were sealed again, and where some are that the former key did not open: they stay as they are. */
export interface Resealed {
  sealed: number
  unreadable: string[]
}

async function resealColumn(tx: Tx, each: SealedColumn, from: Seals, to: Seals): Promise<Resealed> {
  const { table, key, column, where = () => true, nameOf } = each
  const db = tx as unknown as Kysely<Record<string, Row>>
  const rows = await db.selectFrom(table).selectAll().where(column, 'is not', null).execute()
  const unreadable: string[] = []
  let sealed = 0
  for (const row of rows.filter(where)) {
    try {
      const anew = to.seal(nameOf(row), from.unseal(nameOf(row), String(row[column])))
      const own = key.map((part) => sql<boolean>`${sql.ref(part)} = ${row[part]}`)
      await db
        .updateTable(table)
        .set({ [column]: anew })
        .where((eb) => eb.and(own))
        .execute()
      sealed += 1
    } catch (error) {
      // Every document hangs on it.
      if (!(error instanceof SealBroken) || table === 'wrapping_keys') throw error
      unreadable.push(`${table} ${key.map((part) => row[part]).join(' ')}`)
    }
  }
  return { sealed, unreadable }
}

/** Seals everything again, for another master key. @throws {SealBroken} when the former one does not open the wrapping keys */
export async function resealAll(tx: Tx, from: Seals, to: Seals): Promise<Resealed> {
  const all: Resealed = { sealed: 0, unreadable: [] }
  for (const each of sealedColumns) {
    const { sealed, unreadable } = await resealColumn(tx, each, from, to)
    all.sealed += sealed
    all.unreadable.push(...unreadable)
  }
  return all
}
