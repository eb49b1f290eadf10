import { type Kysely, sql } from 'kysely'
import { newMark } from '../mark.ts'

/** What tells this database's documents from those of another, and the documents that seem to belong to nothing. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('installation')
    .addColumn('mark', 'text', (column) => column.primaryKey().notNull())
    .execute()
  await sql`insert into installation (mark) values (${newMark()})`.execute(db)
  await db.schema
    .createTable('stray_documents')
    .addColumn('document_key', 'text', (column) => column.primaryKey().notNull())
    .addColumn('seen_at', 'text', (column) => column.notNull())
    .execute()
}
