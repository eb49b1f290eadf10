import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Database, Tx } from '../../base/db/database.ts'
import type { DocumentTokenRow } from '../../base/db/tables/tables.ts'
import { Problem } from '../../base/http/answers/problem.ts'
import type { GatewayContext } from '../../base/context.ts'

/** Before every instant. */
const withdrawnAt = ''
const hashOf = (token: string) => createHash('sha256').update(token).digest('hex')

/** A link for one attempt: what is kept of it, and the address, which is not. */
export interface DocumentLink {
  url: string
  row: DocumentTokenRow
}

/**
 * Draws a link to the PDF of a job for one attempt, for PDF_TOKEN_TTL_MINUTES. It is good once its row is written. Only
 * the token's hash is kept. An attempt must not be given a second one: `withdrawDocumentLink` speaks for all of them.
 */
export function drawDocumentLink(
  { settings }: Pick<GatewayContext, 'settings'>,
  { jobId, attemptId, now }: { jobId: string; attemptId: string; now: Date },
): DocumentLink {
  const token = randomBytes(32).toString('base64url')
  const { pdf_token_ttl_minutes: minutes, public_api_url: publicUrl } = settings.current()
  const expires_at = new Date(now.getTime() + minutes * 60_000).toISOString()
  const row = { token_sha256: hashOf(token), job_id: jobId, attempt_id: attemptId, expires_at, given_at: null }
  return { url: `${publicUrl.replace(/\/$/, '')}/fax/${jobId}/pdf?token=${token}`, row }
}

/**
 * Writes a link down.
 * @param given whether the provider has the document in another way too, so that the link proves nothing
 */
export async function keepDocumentLink({ db }: Database, { row }: DocumentLink, given: Date | null): Promise<void> {
  const given_at = given?.toISOString() ?? null
  await db
    .insertInto('document_tokens')
    .values({ ...row, given_at })
    .execute()
}

/** Notes that the provider got the document of an attempt in another way than by its link. */
export async function noteGiven({ db }: Database, attemptId: string, now: Date): Promise<void> {
  await db
    .updateTable('document_tokens')
    .set('given_at', now.toISOString())
    .where('attempt_id', '=', attemptId)
    .execute()
}

/**
 * The attempt that a link belongs to. Before anything is answered it is noted that the document was asked for, so that
 * the link can be withdrawn, or used, and never both.
 * @throws {Problem} `token_refused`: wrong, of another fax, withdrawn, or expired; the answer does not say which
 */
export async function useDocumentLink({ db }: Database, jobId: string, token: string, now: Date): Promise<string> {
  const hash = hashOf(token)
  const link = db.selectFrom('document_tokens').selectAll().where('token_sha256', '=', hash)
  const row = await link.executeTakeFirst()
  const matches = row !== undefined && timingSafeEqual(Buffer.from(row.token_sha256), Buffer.from(hash))
  if (!matches || row.job_id !== jobId || row.expires_at <= now.toISOString()) throw new Problem('token_refused')
  const noted = await db
    .updateTable('document_tokens')
    .set('given_at', row.given_at ?? now.toISOString())
    .where('token_sha256', '=', hash)
    .where('expires_at', '>', now.toISOString())
    .executeTakeFirst()
  if (noted.numUpdatedRows === 0n) throw new Problem('token_refused')
  return row.attempt_id
}

/**
 * Takes back the link of an attempt that nobody has used yet. Its row stays, so that it proves the same when the process
 * dies before it acts upon it.
 * @returns true when it is certain now that the provider never gets this attempt's document
 */
export async function withdrawDocumentLink({ db }: Database, attemptId: string): Promise<boolean> {
  const withdrawn = await db
    .updateTable('document_tokens')
    .set('expires_at', withdrawnAt)
    .where('attempt_id', '=', attemptId)
    .where('given_at', 'is', null)
    .executeTakeFirst()
  return withdrawn.numUpdatedRows > 0n
}

/** Removes every link of faxes that have ended. */
export async function removeDocumentLinks(tx: Tx, jobIds: readonly string[]): Promise<void> {
  await tx.deleteFrom('document_tokens').where('job_id', 'in', jobIds).execute()
}
