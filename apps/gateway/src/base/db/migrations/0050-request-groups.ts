import type { Kysely } from 'kysely'

interface Requests {
  fax_approvals: { id: string; draft: string; group_id: string | null }
}

/** Requests for approval name the group of their fax, so that a hold on the group keeps them. It stood in their draft only. */
export async function up(db: Kysely<Requests>): Promise<void> {
  await db.schema.alterTable('fax_approvals').addColumn('group_id', 'text').execute()
  for (const { id, draft } of await db.selectFrom('fax_approvals').select(['id', 'draft']).execute()) {
    const { group_id: group } = JSON.parse(draft) as { group_id?: string | null }
    if (group != null) await db.updateTable('fax_approvals').set({ group_id: group }).where('id', '=', id).execute()
  }
}
