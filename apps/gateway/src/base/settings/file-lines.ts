import { join } from 'node:path'
import { maskValue, opensAccess, type SettingRow } from '@faxdeck/settings'
import type { Database, Tx, Reader } from '../db/database.ts'
import { transact } from '../db/transact.ts'
import { settingsFileName } from './environment.ts'
import { sealNames, seal, unseal } from './seal.ts'
import { changeSettingsFile, presentEntries, type WhoWrites } from './settings-file.ts'
import { keepVersion, newestBeside, readRevoked, readVersions, type Version } from './versions.ts'

type Entries = Readonly<Record<string, string>>
type Versions = ReadonlyMap<string, readonly Version[]>

const operator = 'operator'

function versionOf(row: SettingRow, text: string | null, by: string, key: Buffer): Version {
  const json = JSON.stringify(text)
  const sealed = text !== null && maskValue(row, text) !== text
  return { value: sealed ? seal(key, sealNames.fileLine(row.key), json) : json, sealed: sealed ? 1 : 0, saved_by: by }
}

function textOf(row: SettingRow, { value, sealed }: Version, key: Buffer): string | null {
  return JSON.parse(sealed === 1 ? unseal(key, sealNames.fileLine(row.key), value) : value) as string | null
}

function writerOf(row: SettingRow, line: string | null, versions: readonly Version[], key: Buffer): string {
  return versions.findLast((version) => textOf(row, version, key) === line)?.saved_by ?? operator
}

/** Keeps who is about to write which line, and what stands there. It is kept first: no line is to have no writer. */
async function keepLines(
  tx: Tx,
  rows: readonly SettingRow[],
  lines: { before: Entries; after: Entries; versions: Versions },
  by: { keyOf: (row: SettingRow) => string; key: Buffer },
): Promise<void> {
  for (const row of rows.filter(opensAccess)) {
    const [before, after] = [lines.before[row.env] ?? null, lines.after[row.env] ?? null]
    if (before === after) continue
    const present = writerOf(row, before, lines.versions.get(row.key) ?? [], by.key)
    await keepVersion(tx, 'file', row.key, versionOf(row, before, present, by.key))
    await keepVersion(tx, 'file', row.key, versionOf(row, after, by.keyOf(row), by.key))
  }
}

/** The lines that these keys wrote, and what stood there before; null for none. */
function linesOfEnded(
  rows: readonly SettingRow[],
  entries: Entries,
  versions: Versions,
  { ended, key }: { ended: ReadonlySet<string>; key: Buffer },
): { row: SettingRow; text: string | null }[] {
  return rows.filter(opensAccess).flatMap((row) => {
    const own = versions.get(row.key)
    if (!own || !ended.has(writerOf(row, entries[row.env] ?? null, own, key))) return []
    const earlier = newestBeside(own, ended)
    return [{ row, text: earlier ? textOf(row, earlier, key) : null }]
  })
}

interface LinesParts {
  database: Database
  assertStillGood: (tx: Tx, keyId: string, now: Date) => Promise<void>
  masterKey: Buffer
  now: () => Date
}

/** Which key wrote which line of faxdeck.env, as far as a line goes with its key. */
export class FileLines {
  readonly #parts: LinesParts

  constructor(parts: LinesParts) {
    this.#parts = parts
  }

  /**
   * Keeps who writes a file, before it is written.
   * @param keyOf whose values they are, when it is not the key that asks
   */
  keeper(rows: readonly SettingRow[], keyId: string, keyOf: (row: SettingRow) => string = () => keyId): WhoWrites {
    const { database, assertStillGood, masterKey: key, now } = this.#parts
    return (before, after) =>
      transact(database, async (tx) => {
        await assertStillGood(tx, keyId, now())
        const versions = await readVersions(tx, 'file')
        await keepLines(tx, rows, { before, after, versions }, { keyOf, key })
      })
  }

  /** The lines that go with these keys, and with those revoked before. */
  async ofEnded(db: Reader, rows: readonly SettingRow[], directory: string, keyIds: readonly string[] = []) {
    const versions = await readVersions(db, 'file')
    if (versions.size === 0) return []
    const ended = new Set([...keyIds, ...(await readRevoked(db))])
    const entries = await presentEntries(join(directory, settingsFileName))
    return linesOfEnded(rows, entries, versions, { ended, key: this.#parts.masterKey })
  }

  /** Each process takes them out of its own file, whichever process revoked the key, and again at its start. */
  async takeBack(rows: readonly SettingRow[], directory: string): Promise<void> {
    const lines = await this.ofEnded(this.#parts.database.db, rows, directory)
    if (lines.length === 0) return
    await changeSettingsFile(directory, Object.fromEntries(lines.map(({ row, text }) => [row.env, text])))
  }
}
