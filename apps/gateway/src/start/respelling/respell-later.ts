import type { Tx } from '../../base/db/database.ts'

/** Numbers that came from an earlier gateway as it wrote them are read with the country of the settings at the next start. */
export async function respellLater(tx: Tx): Promise<void> {
  const lists = (['received', 'sent'] as const).map((list) => ({ list, after: '', changed: 0 }))
  await tx
    .insertInto('number_spelling')
    .values(lists)
    .onConflict((conflict) => conflict.column('list').doUpdateSet({ after: '' }))
    .execute()
}
