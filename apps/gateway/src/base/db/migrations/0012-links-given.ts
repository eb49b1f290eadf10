import { type Kysely, sql } from 'kysely'

/** Links keep when their document was given away. Of those from before it is not known, so they count as used. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('document_tokens').addColumn('given_at', 'text').execute()
  await sql`update document_tokens set given_at = expires_at`.execute(db)
  await db.schema.createIndex('document_tokens_attempt').on('document_tokens').column('attempt_id').execute()
}
