import type { Readable } from 'node:stream'
import type { Deletion, DeletionReason } from '@faxdeck/contract'
import type { GatewayContext } from '../../base/context.ts'
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
  const deletions = rows.map(({ seq, ts, event, fields, hash }): Deletion => {
    const { job_id, ...known } = JSON.parse(fields) as DeletionFields
    const { sha256 = null, pages = null, created_at = null, reason = null, days = null, rule_group = null } = known
    const direction = event === 'document_removed' ? 'sent' : 'received'
    return { seq, at: ts, fax_id: job_id, direction, sha256, pages, created_at, reason, days, rule_group, hash }
  })
  return { deletions, next: rows.length < limit ? null : (deletions.at(-1)?.seq ?? null) }
}

const columns: Columns<Deletion> = {
  Entry: ({ seq }) => seq,
  Deleted: ({ at }) => at,
  'Fax ID': ({ fax_id: id }) => id,
  Direction: ({ direction }) => direction,
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
