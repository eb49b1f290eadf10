import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Environment } from '@faxdeck/settings'
import type { Database, Tx, Reader } from '../../base/db/database.ts'
import { insertAll } from '../../base/db/insert-all.ts'
import { respellLater } from '../../start/respelling/respell.ts'
import { markOf } from '../../base/db/mark.ts'
import { DatabaseAway, OutcomeUnknown } from '../../base/db/outage.ts'
import { oneAtATime } from '../../base/db/one-at-a-time.ts'
import { withoutPassword } from '../../base/db/postgres.ts'
import { transact } from '../../base/db/transact.ts'
import { Events } from '../../base/events/events.ts'
import { addCounts } from '../../fax/move/counts.ts'
import { importGroups } from '../../access/groups/import-groups.ts'
import { documentsIn, prepareDataDirectory } from '../../base/settings/data-directory.ts'
import { SealBroken } from '../../base/settings/seal.ts'
import { changeSettingsFile, presentEntries, settingsFile } from '../../base/settings/settings-file.ts'
import { StartProblem } from '../../base/settings/start-problem.ts'
import { readStorageSettings } from '../../base/settings/open-settings.ts'
import { createIdentity } from '../../base/storage/identity.ts'
import { type Folder, newKey } from '../../base/storage/keys.ts'
import { createLocalStorage } from '../../base/storage/local.ts'
import { createSelectedStorage } from '../../base/storage/select-storage.ts'
import { type Storage, StorageProblem } from '../../base/storage/storage.ts'
import { databaseUrlOf } from '../backup.ts'
import { UpkeepProblem, assertOwn } from '../copy.ts'
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
  groups: number
  documents: number
  /** How many rows of each old table are here now, whenever they were imported. */
  here: Record<keyof ImportPlan['rows'], number>
  /** Numbers of mailboxes that no group could take, a sentence each. */
  left: string[]
  /** Variables that were written to faxdeck.env. */
  settings: string[]
}

type Rows = Pick<ImportPlan, 'jobs' | 'inbound' | 'keys'>

/** What is not there yet: an import can be repeated. */
async function newOnes(db: Reader, rows: Rows): Promise<Rows> {
  const jobs = await db.selectFrom('fax_jobs').select('id').execute()
  const inbound = await db.selectFrom('inbound_faxes').select(['id', 'provider', 'provider_id']).execute()
  const keys = await db.selectFrom('api_keys').select('key_id').execute()
  const known = new Set([
    ...jobs.map(({ id }) => id),
    ...inbound.flatMap(({ id, provider, provider_id: name }) => [id, `${provider} ${name}`]),
    ...keys.map(({ key_id: id }) => id),
  ])
  return {
    jobs: rows.jobs.filter(({ row }) => !known.has(row.id)),
    inbound: rows.inbound.filter(({ row }) => !known.has(row.id) && !known.has(`${row.provider} ${row.provider_id}`)),
    keys: rows.keys.filter((row) => !known.has(row.key_id)),
  }
}

/** Stores the documents under keys of ours, and remembers which, to take them away again. */
class Copies {
  readonly keys: string[] = []
  readonly #storage: Storage
  readonly #mark: string

  constructor(storage: Storage, mark: string) {
    this.#storage = storage
    this.#mark = mark
  }

  async add(folder: Folder, id: string, { path, ending, sha256 }: OldDocument): Promise<string> {
    const bytes = readFileSync(path)
    if (hash('sha256', bytes) !== sha256)
      throw new UpkeepProblem(`${path} changed during the import. Stop the old gateway and import again.`)
    const key = newKey(folder, id, this.#mark, ending)
    this.keys.push(key)
    await this.#storage.put(key, bytes)
    return key
  }

  /** @param kept keys that rows name */
  async removeAllBut(kept: ReadonlySet<string | null>): Promise<void> {
    for (const key of this.keys) if (!kept.has(key)) await this.#storage.remove(key)
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
  if (jobs.length + inbound.length + keys.length === 0) return
  const rows = jobs.map(({ row }) => row)
  const timelines = jobs.map(({ timeline }) => timeline)
  const faxes = inbound.map(({ row }) => row)
  await insertAll(tx, 'fax_jobs', rows)
  await insertAll(tx, 'fax_timeline', timelines)
  await insertAll(tx, 'inbound_faxes', faxes)
  await insertAll(tx, 'api_keys', keys)
  addCounts(tx, rows)
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

/** Where this installation keeps its documents: the right place, or none. */
async function openPlace(database: Database, events: Events, { directory, env }: ImportRequest): Promise<Storage> {
  const settings = await readStorageSettings(database, directory, env)
  const local = createLocalStorage(documentsIn(directory))
  const storage = createSelectedStorage(
    local,
    () => settings,
    (place, exists) => createIdentity({ place, exists, database, events }),
  )
  await storage.check()
  return storage
}

async function importInto(database: Database, request: ImportRequest) {
  const { plan, now, onProgress } = request
  const events = new Events(database, now)
  const storage = await openPlace(database, events, request)
  const missing = await newOnes(database.db, plan)
  const copies = new Copies(storage, await markOf(database))
  await copyDocuments(missing, copies, onProgress).catch(async (error: unknown) => {
    await copies.removeAllBut(new Set())
    throw error
  })
  // When this fails the copies stay: the commit may have come about although nobody said so. The gateway removes what
  // no row names.
  const { jobs, inbound, keys, groups } = await transact(database, async (tx) => {
    // A gateway that runs on the server may have received one of them meanwhile.
    const rows = await newOnes(tx, missing)
    const groups = await importGroups(tx, events, plan.groups, {
      country: plan.settings.country,
      at: now().toISOString(),
    })
    for (const { row, mailbox } of rows.inbound) row.group_id = mailbox === null ? null : groups.idOf(mailbox)
    await insertRows(tx, events, rows)
    await respellLater(tx)
    // Copied as they are: the gateway encrypts them once rows name them.
    await tx.updateTable('installation').set({ has_plain: 1, has_old_words: 1 }).execute()
    return { ...rows, groups }
  })
  const named = new Set([...jobs.map(({ row }) => row.document_key), ...inbound.map(({ row }) => row.pdf_key)])
  named.delete(null)
  await copies.removeAllBut(named)
  const counts = { jobs: jobs.length, inbound: inbound.length, keys: keys.length, groups: groups.made }
  // Looked for again instead of believed.
  const absent = await newOnes(database.db, plan)
  const here = {
    fax_jobs: plan.jobs.length - absent.jobs.length,
    inbound_faxes: plan.inbound.length - absent.inbound.length,
    api_keys: plan.keys.length - absent.keys.length,
    mailboxes: plan.rows.mailboxes,
    inbound_rules: groups.rules,
  }
  return { ...counts, documents: named.size, here, left: groups.left }
}

/** Writes the settings that faxdeck.env does not have yet. @returns their names */
async function importSettings({ plan, directory }: ImportRequest): Promise<string[]> {
  const present = await presentEntries(await settingsFile(directory))
  const added = Object.entries(plan.settings.values).filter(([name]) => !present[name]?.trim())
  if (added.length > 0) await changeSettingsFile(directory, Object.fromEntries(added))
  return added.map(([name]) => name)
}

function problemOf(error: unknown): string | undefined {
  if (error instanceof OutcomeUnknown)
    return 'The connection to the database broke while everything was being committed. Import again: what was already imported is skipped.'
  if (error instanceof SealBroken)
    return 'The master key does not open the saved secrets: they were sealed with another one. Set FAXDECK_MASTER_KEY to the key the gateway uses.'
  if (error instanceof DatabaseAway) return `${error.message} Nothing was imported.`
  return error instanceof StartProblem || error instanceof StorageProblem ? error.message : undefined
}

/** The database that an import fills, for people: a file, or the address of a server without its password. */
export function importTarget(directory: string, env: Environment): string {
  const url = databaseUrlOf(directory, env)
  return url.startsWith('sqlite:') ? url.replace(/^sqlite:(\/\/\/)?/, '') : withoutPassword(url)
}

/**
 * Carries out a plan: the documents are copied to where the installation keeps its own, then all rows are inserted in
 * one transaction. When that fails nothing has changed. Settings follow. What was imported before is passed over.
 * @throws {UpkeepProblem} while a gateway has the database file open or another import runs, or when database or storage
 * cannot be used
 */
export async function importInstallation(request: ImportRequest): Promise<Imported> {
  const { directory, env } = request
  try {
    prepareDataDirectory(directory)
    assertOwn(directory)
    const counts = await withDatabase(
      databaseUrlOf(directory, env),
      (database) => oneAtATime(database, 'import')(() => importInto(database, request)),
      { purpose: 'maintenance' },
    )
    if (!counts) throw new UpkeepProblem('Another import into this database is running. Wait until it has ended.')
    return { ...counts, settings: await importSettings(request) }
  } catch (error) {
    const problem = problemOf(error)
    throw problem === undefined ? error : new UpkeepProblem(problem)
  }
}
