import type { Readable } from 'node:stream'
import { type Deletion, type DeletionReason, maskNumber } from '@faxdeck/contract'
import { readKeyNames } from '../../access/actors/key-names.ts'
import type { GatewayContext } from '../../base/context.ts'
import type { Reader } from '../../base/db/database.ts'
import { inPages } from '../../base/db/in-pages.ts'
import { type Columns, csvStream } from '../../base/http/answers/csv.ts'

const atOnce = 500

export interface DeletionPeriod {
  /** Instants; the end is not included. */
  from?: string | undefined
  until?: string | undefined
}

interface DeletionPage extends DeletionPeriod {
  before?: number | undefined
  limit: number
}

interface DeletionFields {
  job_id: string
  sha256?: string | null
  pages?: number | null
  created_at?: string
  reason?: DeletionReason
  days?: number | null
  rule_group?: string | null
}

const bootstrap = 'Bootstrap key'

/** Whose the faxes were: their details stay when a document goes. */
async function faxesOf(db: Reader, ids: readonly string[]) {
  if (ids.length === 0) return new Map<string, Pick<Deletion, 'number' | 'group_name' | 'sent_by'>>()
  const jobs = await db
    .selectFrom('fax_jobs as fax')
    .leftJoin('groups', 'groups.id', 'fax.group_id')
    .select(['fax.id', 'fax.to_number as number', 'groups.name as group_name', 'fax.caller_key_id as by'])
    .where('fax.id', 'in', ids)
    .execute()
  // A request that became no fax is recorded under the id that the fax would have had.
  const asked = ids.map((id) => `apr_${id}`)
  const requests = await db
    .selectFrom('fax_approvals as fax')
    .leftJoin('groups', 'groups.id', 'fax.group_id')
    .select(['fax.id', 'fax.to_number as number', 'groups.name as group_name', 'fax.caller_key_id as by'])
    .where('fax.id', 'in', asked)
    .execute()
  const sent = [...jobs, ...requests.map((request) => ({ ...request, id: request.id.replace(/^apr_/, '') }))]
  const received = await db
    .selectFrom('inbound_faxes as fax')
    .leftJoin('groups', 'groups.id', 'fax.group_id')
    .select(['fax.id', 'fax.from_number as number', 'groups.name as group_name'])
    .where('fax.id', 'in', ids)
    .execute()
  const names = await readKeyNames(
    { db },
    sent.map(({ by }) => by),
  )
  const nameOf = (by: string | null) => by && (names.get(by) ?? (by === 'bootstrap' ? bootstrap : by))
  const masked = (number: string | null) => number && maskNumber(number)
  return new Map([
    ...received.map(
      ({ id, number, group_name }) => [id, { number: masked(number), group_name, sent_by: null }] as const,
    ),
    ...sent.map(
      ({ id, number, group_name, by }) => [id, { number: masked(number), group_name, sent_by: nameOf(by) }] as const,
    ),
  ])
}

/** What was deleted, newest first, as the audit trail has it. Entries of releases before 1.2 know little more than the fax. */
export async function listDeletions({ database }: GatewayContext, { from, until, before, limit }: DeletionPage) {
  let query = database.db
    .selectFrom('audit_events')
    .select(['seq', 'ts', 'event', 'fields', 'hash'])
    .where('event', 'in', ['document_removed', 'inbound_deleted'])
  if (from !== undefined) query = query.where('ts', '>=', from)
  if (until !== undefined) query = query.where('ts', '<', until)
  if (before !== undefined) query = query.where('seq', '<', before)
  const rows = await query.orderBy('seq', 'desc').limit(limit).execute()
  const read = rows.map(({ fields, ...row }) => ({ ...row, ...(JSON.parse(fields) as DeletionFields) }))
  const faxes = await faxesOf(
    database.db,
    read.map(({ job_id: id }) => id),
  )
  const deletions = read.map(({ seq, ts, event, hash, job_id, ...known }): Deletion => {
    const { sha256 = null, pages = null, created_at = null, reason = null, days = null, rule_group = null } = known
    const direction = event === 'document_removed' ? 'sent' : 'received'
    const whose = faxes.get(job_id) ?? { number: null, group_name: null, sent_by: null }
    return {
      seq,
      at: ts,
      fax_id: job_id,
      direction,
      ...whose,
      sha256,
      pages,
      created_at,
      reason,
      days,
      rule_group,
      hash,
    }
  })
  return { deletions, next: rows.length < limit ? null : (deletions.at(-1)?.seq ?? null) }
}

const columns: Columns<Deletion> = {
  Entry: ({ seq }) => seq,
  Deleted: ({ at }) => at,
  'Fax ID': ({ fax_id: id }) => id,
  Direction: ({ direction }) => direction,
  Number: ({ number }) => number,
  Group: ({ group_name: group }) => group,
  'Sent by': ({ sent_by: by }) => by,
  Pages: ({ pages }) => pages,
  'Sent or received': ({ created_at: at }) => at,
  Reason: ({ reason }) => reason,
  'After days': ({ days }) => days,
  'Rule of group': ({ days, rule_group: group }) => (days === null ? null : (group ?? 'general')),
  'SHA-256': ({ sha256 }) => sha256,
  'Hash of the entry': ({ hash }) => hash,
}

/** The same as CSV. */
export const deletionsCsv = (context: GatewayContext, period: DeletionPeriod): Promise<Readable> =>
  csvStream(
    columns,
    inPages<Deletion>(atOnce, async (last) => {
      const { deletions } = await listDeletions(context, { ...period, before: last?.seq, limit: atOnce })
      return deletions
    }),
  )
