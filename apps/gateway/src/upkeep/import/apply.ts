import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Environment } from '@faxdeck/settings'
import type { Database, Tx } from '../../db/database.ts'
import { insertAll } from '../../db/insert-all.ts'
import { markOf } from '../../db/mark.ts'
import { transact } from '../../db/transact.ts'
import { Events } from '../../events/events.ts'
import { addCounts } from '../../faxes/move/counts.ts'
import { documentsIn, prepareDataDirectory } from '../../settings/data-directory.ts'
import { changeSettingsFile, presentEntries, settingsFile } from '../../settings/settings-file.ts'
import { StartProblem } from '../../settings/start-problem.ts'
import { createIdentity } from '../../storage/identity.ts'
import { type Folder, newKey } from '../../storage/keys.ts'
import { createLocalStorage } from '../../storage/local.ts'
import { type Place, StorageProblem } from '../../storage/storage.ts'
import { databaseUrlOf } from '../backup.ts'
import { UpkeepProblem } from '../copy.ts'
import { withDatabase } from '../hold.ts'
import type { OldDocument } from './make-rows.ts'
import type { ImportPlan } from './plan.ts'

interface ImportRequest {
  plan: ImportPlan
  /** The data directory to fill; it is made when it is not there. */
  directory: string
  env: Environment
  now: () => Date
  onProgress: (documents: number, of: number) => void
}

/** What was imported. What had been before is not among it. */
export interface Imported {
  jobs: number
  inbound: number
  keys: number
  documents: number
  /** Variables that were written to faxdeck.env. */
  settings: string[]
}

type Rows = Pick<ImportPlan, 'jobs' | 'inbound' | 'keys'>

/** What is not there yet: an import can be repeated. */
async function newOnes({ db }: Database, plan: ImportPlan): Promise<Rows> {
  const [jobs, inbound, keys] = await Promise.all([
    db.selectFrom('fax_jobs').select('id').execute(),
    db.selectFrom('inbound_faxes').select(['id', 'provider', 'provider_id']).execute(),
    db.selectFrom('api_keys').select('key_id').execute(),
  ])
  const known = new Set([
    ...jobs.map(({ id }) => id),
    ...inbound.flatMap(({ id, provider, provider_id: name }) => [id, `${provider} ${name}`]),
    ...keys.map(({ key_id: id }) => id),
  ])
  return {
    jobs: plan.jobs.filter(({ row }) => !known.has(row.id)),
    inbound: plan.inbound.filter(({ row }) => !known.has(row.id) && !known.has(`${row.provider} ${row.provider_id}`)),
    keys: plan.keys.filter((row) => !known.has(row.key_id)),
  }
}

/** Stores the documents under keys of ours, and remembers which, to take them away again. */
class Copies {
  readonly keys: string[] = []
  readonly #place: Place
  readonly #mark: string

  constructor(place: Place, mark: string) {
    this.#place = place
    this.#mark = mark
  }

  async add(folder: Folder, id: string, { path, ending, sha256 }: OldDocument): Promise<string> {
    const bytes = readFileSync(path)
    if (hash('sha256', bytes) !== sha256)
      throw new UpkeepProblem(`${path} changed during the import. Stop the old gateway and import again.`)
    const key = newKey(folder, id, this.#mark, ending)
    this.keys.push(key)
    await this.#place.put(key, bytes)
    return key
  }

  async remove(): Promise<void> {
    for (const key of this.keys) await this.#place.remove(key)
  }
}

async function copyDocuments(
  rows: Rows,
  copies: Copies,
  onProgress: (done: number, of: number) => void,
): Promise<void> {
  const withDocuments = [...rows.jobs, ...rows.inbound].filter(({ document }) => document).length
  for (const { row, document } of rows.jobs) {
    if (!document) continue
    row.document_key = await copies.add('faxes', row.id, document)
    onProgress(copies.keys.length, withDocuments)
  }
  for (const { row, document } of rows.inbound) {
    if (!document) continue
    row.pdf_key = await copies.add('inbound', row.id, document)
    onProgress(copies.keys.length, withDocuments)
  }
}

async function insertRows(tx: Tx, events: Events, { jobs, inbound, keys }: Rows): Promise<void> {
  await insertAll(
    tx,
    'fax_jobs',
    jobs.map(({ row }) => row),
  )
  await insertAll(
    tx,
    'fax_timeline',
    jobs.map(({ timeline }) => timeline),
  )
  await insertAll(
    tx,
    'inbound_faxes',
    inbound.map(({ row }) => row),
  )
  await insertAll(tx, 'api_keys', keys)
  addCounts(
    tx,
    jobs.map(({ row }) => row),
  )
  const created = keys.map(({ key_id: id, owner, scopes, fax_access: access }) => ({
    key_id: id,
    owner,
    scopes: scopes.split(','),
    fax_access: access,
    by: 'import',
  }))
  if (created.length > 0) await events.apiKeyCreated(created, tx)
  await events.installationImported({ jobs: jobs.length, inbound: inbound.length, keys: keys.length }, tx)
}

async function importInto(database: Database, { plan, directory, now, onProgress }: ImportRequest) {
  const events = new Events(database, now)
  const place = createLocalStorage(documentsIn(directory))
  await createIdentity({ place, exists: (key) => place.exists(key), database, events }).check()
  // Copied as they are: the gateway encrypts them once it runs.
  await database.db.updateTable('installation').set({ has_plain: 1 }).execute()
  const rows = await newOnes(database, plan)
  const copies = new Copies(place, await markOf(database))
  await copyDocuments(rows, copies, onProgress).catch(async (error: unknown) => {
    await copies.remove()
    throw error
  })
  // From here on the documents stay whatever happens: a commit may have come about although it was not told.
  if (rows.jobs.length + rows.inbound.length + rows.keys.length > 0)
    await transact(database, (tx) => insertRows(tx, events, rows))
  const { jobs, inbound, keys } = rows
  return { jobs: jobs.length, inbound: inbound.length, keys: keys.length, documents: copies.keys.length }
}

/** Writes the settings that faxdeck.env does not have yet. @returns their names */
async function importSettings({ plan, directory }: ImportRequest): Promise<string[]> {
  const present = await presentEntries(await settingsFile(directory))
  const added = Object.entries(plan.settings.values).filter(([name]) => !present[name]?.trim())
  if (added.length > 0) await changeSettingsFile(directory, Object.fromEntries(added))
  return added.map(([name]) => name)
}

/**
 * Carries out a plan: the documents are copied, then all rows are inserted in one transaction; when that fails, the
 * copies are removed and nothing has changed. Settings follow. What was imported before is passed over.
 * @throws {UpkeepProblem} while a gateway runs on the data directory, or when it cannot be written
 */
export async function importInstallation(request: ImportRequest): Promise<Imported> {
  const { directory, env } = request
  try {
    prepareDataDirectory(directory)
    const counts = await withDatabase(databaseUrlOf(directory, env), (database) => importInto(database, request))
    return { ...counts, settings: await importSettings(request) }
  } catch (error) {
    if (error instanceof StartProblem || error instanceof StorageProblem) throw new UpkeepProblem(error.message)
    throw error
  }
}
