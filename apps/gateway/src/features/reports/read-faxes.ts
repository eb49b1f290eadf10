import type { Database } from '../../base/db/database.ts'
import { inPages } from '../../base/db/in-pages.ts'

/** Rows read at once: other callers are answered in between. */
const atOnce = 2000
const idsAtOnce = 500

interface Place {
  at: string
  id: string
}

function sentAfter({ db }: Database, after: Place, end: string) {
  return db
    .selectFrom('fax_jobs')
    .select(['id', 'created_at', 'finished_at', 'phase', 'backend', 'pages', 'pages_confirmed', 'error_kind'])
    .select(['caller_key_id', 'group_id', 'to_number', 'is_test'])
    .where((eb) =>
      eb.and([
        eb('created_at', '>=', after.at),
        eb.or([eb('created_at', '>', after.at), eb('id', '>', after.id)]),
        eb('created_at', '<', end),
      ]),
    )
    .orderBy('created_at')
    .orderBy('id')
    .limit(atOnce)
    .execute()
}
export type SentRow = Awaited<ReturnType<typeof sentAfter>>[number]

function receivedAfter({ db }: Database, after: Place, end: string) {
  return db
    .selectFrom('inbound_faxes')
    .select(['id', 'received_at', 'provider', 'pages', 'group_id', 'is_test', 'status', 'call_record'])
    .where((eb) =>
      eb.and([
        eb('received_at', '>=', after.at),
        eb.or([eb('received_at', '>', after.at), eb('id', '>', after.id)]),
        eb('received_at', '<', end),
      ]),
    )
    .orderBy('received_at')
    .orderBy('id')
    .limit(atOnce)
    .execute()
}
export type ReceivedRow = Awaited<ReturnType<typeof receivedAfter>>[number]

/** Faxes that were submitted from one instant to another, oldest first. */
export const readSent = (database: Database, from: string, end: string) =>
  inPages<SentRow>(atOnce, (last) => sentAfter(database, { at: last?.created_at ?? from, id: last?.id ?? '' }, end))

/** Faxes that arrived from one instant to another, oldest first. */
export const readReceived = (database: Database, from: string, end: string) =>
  inPages<ReceivedRow>(atOnce, (last) =>
    receivedAfter(database, { at: last?.received_at ?? from, id: last?.id ?? '' }, end),
  )

function attemptsOf({ db }: Database, ids: readonly string[]) {
  return db
    .selectFrom('fax_attempts')
    .select(['job_id', 'provider', 'state', 'started_at', 'accepted_at', 'kind', 'pages_confirmed', 'call_record'])
    .select('is_test')
    .where('job_id', 'in', ids)
    .execute()
}
export type AttemptRow = Awaited<ReturnType<typeof attemptsOf>>[number]

/** The attempts of faxes, by the fax. */
export async function readAttempts(database: Database, ids: readonly string[]): Promise<Map<string, AttemptRow[]>> {
  const found: AttemptRow[] = []
  for (let at = 0; at < ids.length; at += idsAtOnce) {
    found.push(...(await attemptsOf(database, ids.slice(at, at + idsAtOnce))))
  }
  return Map.groupBy(found, ({ job_id: id }) => id)
}
