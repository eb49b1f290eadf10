import { type Kysely, sql } from 'kysely'

/** Whether the files of the database may still hold words of pages from before they were encrypted, and people by how their address is spelled. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('installation')
    .addColumn('has_old_words', 'integer', (column) => column.notNull().defaultTo(1))
    .execute()
  await sql`update installation set has_old_words = 0 where encrypts = 1 and has_plain = 0`.execute(db)
  const { rows } = await sql<{ id: string; email: string; email_key: string }>`
    select id, email, email_key from people`.execute(db)
  const taken = new Set(rows.map(({ email_key }) => email_key))
  for (const { id, email } of rows) {
    const key = email.trim().normalize('NFKC').toLowerCase()
    if (taken.has(key)) continue
    taken.add(key)
    await sql`update people set email_key = ${key} where id = ${id}`.execute(db)
  }
}
