import { maskValue, opensAccess, readValue, type SettingRow, type SettingValue, type Values } from '@faxdeck/settings'
import type { Tx, Reader } from '../db/database.ts'
import type { SavedSettingRow } from '../db/tables/settings.ts'
import { sealNames, seal, unseal } from './seal.ts'
import { keepVersion, readVersions } from './versions.ts'

/** What is saved, and up to which change. */
export interface Saved {
  values: Values
  revision: string
  /** Saved values that no row takes any more: payload keys. */
  unfit: string[]
}

/** The newest change of any saved setting; empty when there is none. Cleared settings stay as rows, so that it only grows. */
export async function readRevision(db: Reader): Promise<string> {
  const row = await db
    .selectFrom('saved_settings')
    .select((eb) => eb.fn.max('updated_at').as('revision'))
    .executeTakeFirst()
  return row?.revision ?? ''
}

function valueOf(row: SettingRow, saved: SavedSettingRow, key: Buffer): SettingValue | undefined {
  const text = saved.sealed === 1 ? unseal(key, sealNames.savedSetting(saved.key), saved.value) : saved.value
  const raw: unknown = JSON.parse(text)
  if (raw === null) return null
  const read = readValue(row, raw)
  return 'value' in read ? read.value : undefined
}

const isCleared = ({ sealed, value }: SavedSettingRow) => sealed === 0 && value === 'null'

/** @throws {SealBroken} when a secret was sealed with another master key */
export async function readSaved(db: Reader, rows: readonly SettingRow[], key: Buffer): Promise<Saved> {
  const stored = await db.selectFrom('saved_settings').selectAll().execute()
  const byKey = new Map(rows.map((row) => [row.key, row]))
  const values: Record<string, SettingValue> = {}
  const unfit: string[] = []
  let revision = ''
  for (const saved of stored) {
    if (saved.updated_at > revision) revision = saved.updated_at
    const row = byKey.get(saved.key)
    if (!row && isCleared(saved)) continue
    const value = row && valueOf(row, saved, key)
    if (value === undefined) unfit.push(saved.key)
    else if (value !== null) values[saved.key] = value
  }
  return { values, revision, unfit }
}

/** A moment after every change so far, also when the clock stands still or was set back. */
export async function nextRevision(tx: Tx, now: Date): Promise<string> {
  const last = await readRevision(tx)
  const time = last === '' ? 0 : Date.parse(last) + 1
  return new Date(Math.max(now.getTime(), time)).toISOString()
}

/** Whether a saved value goes with the key that saved it. What no row names any more belonged to a plugin's account. */
const goesWithKey = (row: SettingRow | undefined) => row === undefined || opensAccess(row)

/** Puts a row in the place of the present one, which is kept when another key wrote it. */
async function putSaved(tx: Tx, row: SettingRow | undefined, saved: SavedSettingRow): Promise<void> {
  const present = await tx.selectFrom('saved_settings').selectAll().where('key', '=', saved.key).executeTakeFirst()
  if (present && present.updated_by !== saved.updated_by && goesWithKey(row)) {
    const { value, sealed, updated_by: by } = present
    await keepVersion(tx, 'database', saved.key, { value, sealed, saved_by: by })
  }
  await tx
    .insertInto('saved_settings')
    .values(saved)
    .onConflict((conflict) => conflict.column('key').doUpdateSet(saved))
    .execute()
}

/** Payload keys of the values that these keys saved and that go with them, changed ones and cleared ones. */
export async function savedByEnded(
  db: Reader,
  rows: readonly SettingRow[],
  ended: readonly string[],
): Promise<string[]> {
  const byKey = new Map(rows.map((row) => [row.key, row]))
  const stored = await db.selectFrom('saved_settings').selectAll().where('updated_by', 'in', ended).execute()
  const versions = await readVersions(db, 'database')
  const wasSomething = (saved: SavedSettingRow) => !isCleared(saved) || versions.has(saved.key)
  return stored.filter((saved) => goesWithKey(byKey.get(saved.key)) && wasSomething(saved)).map(({ key }) => key)
}

/** Who saved what is in force, by payload key. */
export async function readWriters(db: Reader): Promise<Map<string, string>> {
  const stored = await db.selectFrom('saved_settings').selectAll().execute()
  return new Map(stored.filter((saved) => !isCleared(saved)).map(({ key, updated_by: by }) => [key, by]))
}

/** Saves values; null clears. Whatever is masked when shown is sealed. */
export async function writeSaved(
  tx: Tx,
  rows: readonly SettingRow[],
  values: Values,
  by: { key: Buffer; keyId: string; now: Date },
): Promise<void> {
  const updatedAt = await nextRevision(tx, by.now)
  const byKey = new Map(rows.map((row) => [row.key, row]))
  for (const [key, value] of Object.entries(values)) {
    const row = byKey.get(key)
    const sealed = row !== undefined && maskValue(row, value) !== value
    const text = JSON.stringify(value)
    const saved = {
      key,
      value: sealed ? seal(by.key, sealNames.savedSetting(key), text) : text,
      sealed: sealed ? 1 : 0,
      updated_at: updatedAt,
      updated_by: by.keyId,
    }
    await putSaved(tx, row, saved)
  }
}
