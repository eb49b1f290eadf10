import { contradictionIn, type StatusUpdate } from '@faxdeck/provider-kit'
import { sql } from 'kysely'
import type { FaxAttemptRow } from '../../base/db/tables/tables.ts'
import type { GatewayContext } from '../../base/context.ts'
import { isElsewhere } from './ask-line.ts'

/** An attempt that a provider reports on, with what tells whether the report can be about it. */
export type ReportedAttempt = FaxAttemptRow & {
  to_number: string
  /** The id that the provider names is that of another attempt of ours, from the same account. */
  is_of_another: unknown
  /** It was given a link to its document, nobody has used it, and the document went no other way. */
  is_link_unused: unknown
}

/** The attempt that a report is about: by our reference, else by the id that the provider has given. */
export async function findReported(
  { database: { db } }: GatewayContext,
  { provider, attemptId, providerId }: { provider: string } & Pick<StatusUpdate, 'attemptId' | 'providerId'>,
): Promise<ReportedAttempt | undefined> {
  if (attemptId === undefined && providerId === undefined) return undefined
  const which =
    attemptId === undefined
      ? sql`a.provider = ${provider} and a.provider_id = ${providerId} order by a.started_at desc limit 1`
      : sql`a.id = ${attemptId}`
  const { rows } = await sql<ReportedAttempt>`
    select a.*, (select j.to_number from fax_jobs j where j.id = a.job_id) as to_number,
      exists (select 1 from fax_attempts o where o.provider = a.provider and o.provider_id = ${providerId ?? null}
        and o.id <> a.id and o.account is not distinct from a.account) as is_of_another,
      exists (select 1 from document_tokens t where t.attempt_id = a.id) and not exists (
        select 1 from document_tokens t where t.attempt_id = a.id and t.given_at is not null) as is_link_unused
    from fax_attempts a where ${which}`.execute(db)
  return rows.find((attempt) => attempt.provider === provider)
}

function contradictionOf({ providers }: GatewayContext, attempt: ReportedAttempt, update: StatusUpdate, here: boolean) {
  const { id, job_id, provider_id, to_number: to } = attempt
  const provider = providers.find(attempt.provider)
  const account = here ? provider?.accountId?.(providers.settingsOf(provider)) : undefined
  const known = { attemptId: id, providerId: provider_id ?? undefined, to, account, documentPath: `/fax/${job_id}/pdf` }
  const said = contradictionIn(update, known)
  if (said !== undefined) return said
  const isNew = provider_id === null && update.providerId !== undefined
  if (isNew && attempt.is_of_another) return 'its id belongs to another fax of ours'
  if (update.state === 'delivered' && attempt.is_link_unused)
    return 'it reports a delivery, but nobody has fetched the document'
  return undefined
}

/**
 * Why what a provider says of an attempt cannot be about it, as a sentence: the answer to a submission, a poll, a
 * callback and an entry of a list all pass through here. Such an answer changes nothing of the attempt but that its
 * outcome is not known.
 */
export function doubtIn(context: GatewayContext, attempt: ReportedAttempt, update: StatusUpdate): string | undefined {
  const contradiction = contradictionOf(context, attempt, update, !isElsewhere(context, attempt))
  if (contradiction === undefined) return undefined
  const name = context.providers.find(attempt.provider)?.name ?? attempt.provider
  return `${name} sent an answer that does not fit this fax: ${contradiction}. Faxdeck ignored it.`
}
