import type { OldSettings } from './old-settings.ts'
import { byName, filesBelow, findDatabase, withCopy } from './find.ts'
import { inboundOf, jobOf, keyOf, type NewInbound, type NewJob } from './make-rows.ts'
import { readOldSettings } from './old-settings.ts'
import { idOf, type OldInstallation, readOld, textOf } from './read-old.ts'
import type { ApiKeyRow } from '../../db/tables/tables.ts'

/** What an import would do. */
export interface ImportPlan {
  database: string
  jobs: NewJob[]
  inbound: NewInbound[]
  keys: ApiKeyRow[]
  settings: OldSettings
  /** What needs a person's attention, a sentence each. */
  notes: string[]
}

const plural = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`

function notesOf(old: OldInstallation, { jobs, inbound, keys }: Omit<ImportPlan, 'notes' | 'database' | 'settings'>) {
  const lost = old.jobs.length - jobs.length + (old.inbound.length - inbound.length)
  const unknown = jobs.filter(({ row }) => row.phase === 'partial').length
  const missing = jobs.filter(({ document }) => !document).length
  const missingInbound = inbound.filter(({ row, document }) => !document && row.status === 'received').length
  const keyIds = new Set(keys.map(({ key_id: id }) => id))
  const dropped = old.keys.filter((key) => !keyIds.has(textOf(key, 'key_id') ?? ''))
  const revoked = dropped.filter((key) => textOf(key, 'revoked_at') !== null).length
  const powerless = keys.filter(({ scopes }) => scopes === '').map(({ key_id: id }) => id)
  return [
    ...(unknown > 0
      ? [
          `${plural(unknown, 'sent fax', 'sent faxes')} had not ended: marked as failed with unknown outcome, and never sent from here.`,
        ]
      : []),
    ...(missing > 0 ? [`The documents of ${plural(missing, 'sent fax', 'sent faxes')} are not in the folder.`] : []),
    ...(missingInbound > 0
      ? [`The documents of ${plural(missingInbound, 'received fax', 'received faxes')} are not in the folder.`]
      : []),
    ...(lost > 0 ? [`${plural(lost, 'row has', 'rows have')} no usable id or time and cannot be imported.`] : []),
    ...(revoked > 0 ? [`${plural(revoked, 'revoked key is', 'revoked keys are')} left out.`] : []),
    ...(dropped.length > revoked
      ? [
          `${plural(dropped.length - revoked, 'key has', 'keys have')} a hash that cannot be checked here: create new ones.`,
        ]
      : []),
    ...(powerless.length > 0 ? [`Keys without a scope that is known here: ${powerless.join(', ')}.`] : []),
  ]
}

const dayMs = 86_400_000

/** Documents that the next clean-up removes because they are older than the settings keep them. */
function tooOld({ jobs, inbound, settings, now }: Pick<ImportPlan, 'jobs' | 'inbound' | 'settings'> & { now: Date }) {
  const count = (days: number, times: readonly string[]) =>
    days === 0 ? 0 : times.filter((at) => now.getTime() - Date.parse(at) > days * dayMs).length
  const { sent, received } = settings.keepDays
  const documentsOf = (rows: readonly (NewJob | NewInbound)[]) => rows.filter(({ document }) => document)
  const lateSent = count(
    sent,
    documentsOf(jobs).map(({ row }) => row.updated_at),
  )
  const lateReceived = count(
    received,
    inbound.filter(({ document }) => document).map(({ row }) => row.received_at),
  )
  const sentence = (n: number, what: string, name: string, days: number) =>
    n === 0
      ? []
      : [
          `${plural(n, `document of a ${what} fax is`, `documents of ${what} faxes are`)} older than ${days} days and will be removed at the start. To keep them, set ${name}=0 in the .env file first.`,
        ]
  return [
    ...sentence(lateSent, 'sent', 'ARTIFACT_TTL_DAYS', sent),
    ...sentence(lateReceived, 'received', 'INBOUND_RETENTION_DAYS', received),
  ]
}

/** One row for each id and each call: an old table may hold more. */
function once<T>(rows: readonly T[], nameOf: (row: T) => string): T[] {
  return [...new Map(rows.map((row) => [nameOf(row), row])).values()]
}

/**
 * Reads the database, documents and settings of an earlier gateway. Its files are read and never written.
 * @throws {UpkeepProblem} when there is no database that can be imported
 */
export async function planImport(
  folder: string,
  { database, now }: { database?: string | undefined; now: Date },
): Promise<ImportPlan> {
  const all = filesBelow(folder)
  const path = findDatabase(folder, all, database)
  const old = withCopy(path, readOld)
  const files = byName(all)
  const jobs = once(
    old.jobs.flatMap((row) => jobOf(row, files) ?? []),
    ({ row }) => row.id,
  )
  const inbound = once(
    once(
      old.inbound.flatMap((row) => inboundOf(row, files) ?? []),
      ({ row }) => row.id,
    ),
    ({ row }) => `${row.provider} ${row.provider_id}`,
  )
  const keys = once(
    old.keys.flatMap((row) => keyOf(row) ?? []),
    (row) => row.key_id,
  )
  const notes = notesOf(
    { ...old, jobs: once(old.jobs, (row) => idOf(row) ?? String(row['id'])) },
    { jobs, inbound, keys },
  )
  const settings = await readOldSettings(folder)
  const late = tooOld({ jobs, inbound, settings, now })
  return { database: path, jobs, inbound, keys, settings, notes: [...notes, ...late] }
}
