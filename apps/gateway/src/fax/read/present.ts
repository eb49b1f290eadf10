import { type Fax, type Job, type JobAction, type JobSummary, maskNumber } from '@faxdeck/contract'
import type { FaxAttemptRow, FaxJobRow, FaxTimelineRow } from '../../base/db/tables/tables.ts'
import { coverTemplateOf, recipientOf } from '../../paper/pages/cover.ts'
import type { JobAbilities } from '../facts/find-job.ts'
import { labelsOf } from '../facts/labels.ts'
import { isHeld, presentHold } from '../move/hold.ts'
import { needsAttention } from '../move/move.ts'
import { presentNotes } from '../../paper/pages/page-notes.ts'
import { presentCall } from '../calls/stored-call.ts'
import { type Copy, resendRefusalOf, resentAs } from './copies.ts'

/** Free text may carry a number; long runs of digits are hidden. */
export function hideNumbers(text: string | null): string | null {
  return text?.replace(/\d{6,}/g, '***') ?? null
}

/** A job with the name of the provider that it waits for, where it does, and whom the list of its broadcast names. */
export interface ShownJob extends FaxJobRow {
  listed_name?: string | undefined
  waiting_for?: string | undefined
}

/** What a person may do with a job now. */
export function actionsOf(job: FaxJobRow, abilities: JobAbilities): JobAction[] {
  if (isHeld(job)) return ['refresh', 'release', 'cancel']
  switch (job.phase) {
    case 'queued':
    case 'waiting_retry':
      return ['cancel']
    case 'preparing':
    case 'submitting':
      return []
    case 'accepted':
      return [
        ...(abilities.supportsStatus ? (['refresh'] as const) : []),
        ...(abilities.supportsCancel ? (['cancel'] as const) : []),
      ]
    case 'duplicate':
      return ['resolve']
    case 'uncertain':
      return abilities.supportsStatus ? ['refresh', 'resolve'] : ['resolve']
    case 'partial':
    case 'incomplete':
      return job.document_key === null ? ['resolve'] : ['resend', 'resolve']
    case 'delivered':
    case 'failed':
      return job.document_key === null ? [] : ['resend']
  }
}

/** A fax as its sender sees it. */
export function presentFax(job: ShownJob, isTest: boolean, codes: Fax['codes'] = []): Fax {
  return {
    id: job.id,
    to: job.to_number,
    status: job.status,
    error: job.error,
    error_kind: job.error_kind,
    needs_attention: needsAttention(job) || isHeld(job),
    held: presentHold(job),
    waiting_for: job.waiting_for ?? null,
    next_try_at: job.next_try_at,
    pages: job.pages,
    cover: coverTemplateOf(job),
    page_notes: presentNotes(job),
    codes,
    pages_confirmed: job.pages_confirmed,
    backend: job.backend,
    test: isTest,
    provider_sid: job.provider_id,
    ...labelsOf(job),
    broadcast_id: job.broadcast_id,
    created_at: job.created_at,
    updated_at: job.updated_at,
  }
}

/** A job as it was when it was accepted: a replay answers with that again. */
export function asAccepted(job: FaxJobRow): FaxJobRow {
  return {
    ...job,
    status: 'queued',
    phase: 'queued',
    error: null,
    error_kind: null,
    attempt_count: 0,
    next_try_at: null,
    provider_id: null,
    pages_confirmed: null,
    page_notes: null,
    hold: null,
    updated_at: job.created_at,
  }
}

/** What was answered when the fax was accepted; a replay says it again. */
export const firstAnswer = (job: FaxJobRow, isTest: boolean): Fax => presentFax(asAccepted(job), isTest)

/**
 * A job in a list: numbers hidden.
 * @param keyName the name of the key that sent it
 * @param copies those of `readCopies`
 */
export function presentSummary(
  job: ShownJob,
  abilities: JobAbilities,
  keyName: string | null = null,
  copies: readonly Copy[] = [],
): JobSummary {
  const isTest = abilities.isTest || job.is_test === 1
  return {
    id: job.id,
    to_number: maskNumber(job.to_number),
    recipient: recipientOf(job) ?? job.listed_name ?? null,
    file_name: job.file_name,
    key_id: job.caller_key_id,
    key_name: keyName,
    status: job.status,
    needs_attention: needsAttention(job) || isHeld(job),
    held: presentHold(job),
    waiting_for: job.waiting_for ?? null,
    backend: job.backend,
    test: isTest,
    pages: job.pages,
    error: hideNumbers(job.error),
    error_kind: job.error_kind,
    attempt_count: job.attempt_count,
    next_try_at: job.next_try_at,
    actions: actionsOf(job, abilities),
    resent_as: resentAs(job, copies),
    resend_refusal: resendRefusalOf(job, isTest, copies),
    ...labelsOf(job),
    group_id: job.group_id,
    created_at: job.created_at,
    updated_at: job.updated_at,
  }
}

interface JobHistory {
  attempts: readonly FaxAttemptRow[]
  timeline: readonly FaxTimelineRow[]
  maxAttempts: number | null
  /** Its document is not in the storage, although nobody removed it. */
  isMissing: boolean
  /** Those on its first page, as far as they were read. */
  codes?: Job['codes']
  keyName?: string | null
  copies?: readonly Copy[]
}

/**
 * What happened to a fax, in the order in which it was written down: clocks of two gateways differ. When it was sent
 * again stands behind what was written before.
 */
function presentTimeline(job: FaxJobRow, { timeline, copies = [] }: JobHistory): Job['timeline'] {
  const entries = timeline.map(({ at, event, sentence, until }) => ({
    at,
    event,
    sentence: hideNumbers(sentence) ?? '',
    until,
  }))
  for (const { id, created_at: at, parent_id: parent } of copies) {
    if (parent !== job.id) continue
    const place = entries.findLastIndex((entry) => entry.at <= at) + 1
    entries.splice(place, 0, { at, event: 'resent', sentence: `Sent again as ${id.slice(0, 8)}.`, until: null })
  }
  return entries
}

/** A job with all that is known of it. */
export function presentJob(job: ShownJob, abilities: JobAbilities, history: JobHistory): Job {
  return {
    ...presentSummary(job, abilities, history.keyName, history.copies),
    provider_sid: job.provider_id,
    document_kind: job.document_kind as Job['document_kind'],
    size_bytes: job.size_bytes,
    document_kept: job.document_key !== null && !history.isMissing,
    document_missing: history.isMissing,
    cover: coverTemplateOf(job),
    page_notes: presentNotes(job),
    codes: history.codes ?? [],
    pages_confirmed: job.pages_confirmed,
    parent_id: job.parent_id,
    broadcast_id: job.broadcast_id,
    max_attempts: history.maxAttempts,
    attempts: history.attempts.map((attempt) => ({
      number: attempt.number,
      provider: attempt.provider,
      provider_id: attempt.provider_id,
      started_at: attempt.started_at,
      ended_at: attempt.ended_at,
      kind: attempt.kind,
      sentence: hideNumbers(attempt.sentence),
      pages_confirmed: attempt.pages_confirmed,
      call: presentCall(attempt),
    })),
    timeline: presentTimeline(job, history),
  }
}
