import { contradictionIn, type StatusUpdate } from '@faxdeck/provider-kit'
import type { Database } from '../../base/db/database.ts'
import type { FaxAttemptRow } from '../../base/db/tables/tables.ts'
import type { GatewayContext } from '../../base/context.ts'
import { isElsewhere } from './account.ts'
import { isLinkUnused } from '../facts/document-link.ts'

/** Whether a fax of the provider is known to be another attempt of ours from the same account. */
async function isAnotherAttempt(
  { db }: Database,
  { id, provider, account }: FaxAttemptRow,
  providerId: string,
): Promise<boolean> {
  const others = db.selectFrom('fax_attempts').select('id').where('id', '!=', id).where('provider', '=', provider)
  const same = others.where('provider_id', '=', providerId).where('account', 'is not distinct from', account)
  return (await same.executeTakeFirst()) !== undefined
}

async function contradictionOf(context: GatewayContext, attempt: FaxAttemptRow, update: StatusUpdate) {
  const { database, providers } = context
  const { id, job_id, provider, provider_id } = attempt
  const named = providers.find(provider)
  const jobs = database.db.selectFrom('fax_jobs').select('to_number').where('id', '=', job_id)
  const { to_number: to } = await jobs.executeTakeFirstOrThrow()
  const account = named && !isElsewhere(context, attempt) ? named.accountId?.(providers.settingsOf(named)) : undefined
  const known = { attemptId: id, providerId: provider_id ?? undefined, to, account, documentPath: `/fax/${job_id}/pdf` }
  const said = contradictionIn(update, known)
  if (said !== undefined) return said
  const isNew = provider_id === null && update.providerId !== undefined
  if (isNew && (await isAnotherAttempt(database, attempt, update.providerId ?? '')))
    return 'its id belongs to another fax of ours'
  if (update.state === 'delivered' && (await isLinkUnused(database, id)))
    return 'it reports a delivery, but nobody has fetched the document'
  return undefined
}

/**
 * Why what a provider says of an attempt cannot be about it, as a sentence: the answer to a submission, a poll, a
 * callback and an entry of a list all pass through here. Such an answer changes nothing of the attempt but that its
 * outcome is not known.
 */
export async function doubtIn(
  context: GatewayContext,
  attempt: FaxAttemptRow,
  update: StatusUpdate,
): Promise<string | undefined> {
  const contradiction = await contradictionOf(context, attempt, update)
  if (contradiction === undefined) return undefined
  const name = context.providers.find(attempt.provider)?.name ?? attempt.provider
  return `${name} sent an answer that does not fit this fax: ${contradiction}. Faxdeck ignored it.`
}
