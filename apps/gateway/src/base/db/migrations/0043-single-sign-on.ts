import type { Kysely } from 'kysely'

/** Whom people are at a provider of single sign-on, sign-ins that are under way there, and the token that ends its session. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('person_identities')
    .addColumn('issuer', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('person_id', 'text', (column) => column.notNull().references('people.id'))
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('person_identities_pkey', ['issuer', 'subject'])
    .addUniqueConstraint('person_identities_of_person', ['person_id', 'issuer'])
    .execute()
  await db.schema
    .createTable('oidc_logins')
    .addColumn('state_sha256', 'text', (column) => column.primaryKey())
    .addColumn('browser_sha256', 'text', (column) => column.notNull())
    .addColumn('sealed', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'text', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('oidc_logins_by_expiry').on('oidc_logins').column('expires_at').execute()
  await db.schema.alterTable('person_sessions').addColumn('id_token', 'text').execute()
}
