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

/** One row for each id and each call: an old table may hold more. */
function once<T>(rows: readonly T[], nameOf: (row: T) => string): T[] {
  return [...new Map(rows.map((row) => [nameOf(row), row])).values()]
}

/**
 * Reads the database, documents and settings of an earlier gateway. Its files are read and never written.
 * @throws {UpkeepProblem} when there is no database that can be imported
 */
export function planImport(folder: string, database?: string): ImportPlan {
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
  return { database: path, jobs, inbound, keys, settings: readOldSettings(folder), notes }
}
