import { scopes } from '@faxdeck/contract'
import type { OldSettings } from './old-settings.ts'
import { byName, filesBelow, findDatabase, withCopy } from './find.ts'
import { groupsOf, inboundOf, jobOf, keyOf, type NewGroup, type NewInbound, type NewJob } from './make-rows.ts'
import { readOldSettings } from './old-settings.ts'
import { hasTime, idOf, type OldInstallation, type OldRow, readOld, textOf } from './read-old.ts'
import type { ApiKeyRow } from '../../base/db/tables/keys.ts'

/** What an import would do. */
export interface ImportPlan {
  database: string
  jobs: NewJob[]
  inbound: NewInbound[]
  keys: ApiKeyRow[]
  groups: NewGroup[]
  /** Rows of the old tables. */
  rows: Record<'fax_jobs' | 'inbound_faxes' | 'api_keys' | 'mailboxes' | 'inbound_rules', number>
  settings: OldSettings
  /** What needs a person's attention, a sentence each. */
  notes: string[]
  /** Rows and documents that are not imported although somebody may miss them, a sentence each. */
  left: string[]
}

const plural = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`

type Rows = Pick<ImportPlan, 'jobs' | 'inbound' | 'keys'>

const revokedAmong = (keys: readonly OldRow[]) => keys.filter((key) => textOf(key, 'revoked_at') !== null)

function notesOf(old: OldInstallation, { jobs }: Rows): string[] {
  const unknown = jobs.filter(({ row }) => row.phase === 'partial').length
  const revoked = revokedAmong(old.keys).length
  const waiting = `${plural(unknown, 'sent fax', 'sent faxes')} had not ended: marked as failed with unknown outcome, and never sent from here.`
  return [
    ...(unknown > 0 ? [waiting] : []),
    ...(revoked > 0 ? [`${plural(revoked, 'revoked key is', 'revoked keys are')} left out.`] : []),
  ]
}

/** The keys that cannot be used here as they were, and the mailboxes that only some keys could open. */
function leftOfAccess({ keys: old, mailboxes }: OldInstallation, keys: readonly ApiKeyRow[]): string[] {
  const unusable = old.length - revokedAmong(old).length - keys.length
  const given = new Set(old.flatMap((key) => (textOf(key, 'scopes') ?? '*').split(',').map((scope) => scope.trim())))
  const unknownScopes = [...given].filter((scope) => scope !== '*' && !(scopes as readonly string[]).includes(scope))
  const powerless = keys.filter(({ scopes: has }) => has === '').map(({ key_id: id }) => id)
  const limited = mailboxes.filter((row) => textOf(row, 'allowed_scopes') !== null).map((row) => textOf(row, 'label'))
  return [
    ...(unusable > 0
      ? [`${plural(unusable, 'key has', 'keys have')} a hash that cannot be checked here: create new ones.`]
      : []),
    ...(unknownScopes.length > 0 ? [`Scopes of keys that are not known here: ${unknownScopes.join(', ')}.`] : []),
    ...(powerless.length > 0 ? [`Keys without a scope that is known here: ${powerless.join(', ')}.`] : []),
    ...(limited.length > 0
      ? [`Mailboxes whose scopes are not imported: ${limited.join(', ')}. Add people to their groups instead.`]
      : []),
  ]
}

function leftOf(old: OldInstallation, { jobs, inbound, keys }: Rows): string[] {
  const usable = (rows: readonly OldRow[]) => rows.filter((row) => idOf(row) !== undefined && hasTime(row)).length
  const lost = old.jobs.length + old.inbound.length - usable(old.jobs) - usable(old.inbound)
  const twice = usable(old.jobs) - jobs.length + (usable(old.inbound) - inbound.length)
  const missing = jobs.filter(({ document }) => !document).length
  const missingInbound = inbound.filter(({ row, document }) => !document && row.status === 'received').length
  const many: [number, string][] = [
    [lost, `${plural(lost, 'row has', 'rows have')} no usable id or time and cannot be imported.`],
    [twice, `${plural(twice, 'row has', 'rows have')} the id, or the provider’s id, of another row.`],
    [missing, `The documents of ${plural(missing, 'sent fax', 'sent faxes')} are not in the folder.`],
    [
      missingInbound,
      `The documents of ${plural(missingInbound, 'received fax', 'received faxes')} are not in the folder as PDF.`,
    ],
  ]
  const others = old.others.filter(({ rows }) => rows > 0)
  return [
    ...many.flatMap(([count, sentence]) => (count > 0 ? [sentence] : [])),
    ...leftOfAccess(old, keys),
    ...others.map(({ table, rows }) => `The table ${table} is not imported: ${plural(rows, 'row', 'rows')}.`),
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
 * @param without expected tables that its database may lack
 * @throws {UpkeepProblem} when there is no database that can be imported, or it lacks an expected table
 */
export async function planImport(
  folder: string,
  { database, without, now }: { database?: string | undefined; without?: readonly string[] | undefined; now: Date },
): Promise<ImportPlan> {
  const all = filesBelow(folder)
  const path = findDatabase(folder, all, database)
  const old = withCopy(path, (copy) => readOld(copy, without))
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
  const rows = {
    fax_jobs: old.jobs.length,
    inbound_faxes: old.inbound.length,
    api_keys: old.keys.length,
    mailboxes: old.mailboxes.length,
    inbound_rules: old.rules.length,
  }
  const groups = groupsOf(old.mailboxes, old.rules, inbound)
  const settings = await readOldSettings(folder)
  const notes = [...notesOf(old, { jobs, inbound, keys }), ...tooOld({ jobs, inbound, settings, now })]
  const left = leftOf(old, { jobs, inbound, keys })
  return { database: path, jobs, inbound, keys, groups, rows, settings, notes, left }
}
