import type { FaxRequest, PendingFax } from '@faxdeck/contract'
import { readKeyNames } from '../../access/actors/key-names.ts'
import type { FaxApprovalRow } from '../../base/db/tables/requests.ts'
import { presentNotes } from '../../paper/pages/page-notes.ts'
import { presentFax } from '../../fax/read/present.ts'
import { findJob } from '../../fax/facts/find-job.ts'
import { lookUpRecipient } from '../../fax/read/recipients.ts'
import { isTestFax } from '../../base/providers/test-line.ts'
import type { GatewayContext } from '../../base/context.ts'
import { draftOf, stateOf } from './store.ts'

function approvalOf(row: FaxApprovalRow, now: Date) {
  const state = stateOf(row, now)
  const { id, pages, created_at, expires_at } = row
  return { id, state, pages, created_at, expires_at, decided_at: state === 'expired' ? expires_at : row.decided_at }
}

/** What became of a request, for its asker. */
export async function presentRequest(
  { database, providers, now }: GatewayContext,
  row: FaxApprovalRow,
): Promise<FaxRequest> {
  const job = row.job_id === null ? undefined : await findJob(database.db, row.job_id)
  return { approval: approvalOf(row, now()), fax: job ? presentFax(job, isTestFax(providers, job)) : null }
}

/** Requests as the person who decides sees them, their numbers in full. */
export async function presentPending(context: GatewayContext, rows: readonly FaxApprovalRow[]): Promise<PendingFax[]> {
  const actors = rows.flatMap((row) => [row.caller_key_id, row.decided_by])
  const names = await readKeyNames(context.database, actors)
  return Promise.all(
    rows.map(async (row): Promise<PendingFax> => {
      const draft = draftOf(row)
      const { file_name, document_kind, size_bytes } = draft
      const { faxed_before } = await lookUpRecipient(context, row.to_number, 'all')
      return {
        ...approvalOf(row, context.now()),
        to: row.to_number,
        faxed_before,
        file_name,
        document_kind: document_kind as PendingFax['document_kind'],
        size_bytes,
        page_notes: presentNotes(draft),
        unreadable: draft.unreadable,
        asked_by: row.caller_key_id,
        asked_by_name: names.get(row.caller_key_id) ?? null,
        decided_by: row.decided_by,
        decided_by_name: names.get(row.decided_by ?? '') ?? null,
        job_id: row.job_id,
      }
    }),
  )
}
