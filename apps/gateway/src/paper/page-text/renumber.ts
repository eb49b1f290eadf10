import type { Tx } from '../../base/db/database.ts'
import { joinTokens, tokensOfNumber } from './fold.ts'
import { type Direction, pagesOf } from './store.ts'

/** Lets a fax be found by numbers that were rewritten. @param changes each number as it was, and as it is */
export async function renumberPage(
  tx: Tx,
  direction: Direction,
  faxId: string,
  changes: readonly (readonly [was: string | null, is: string | null])[],
): Promise<void> {
  const table = pagesOf[direction]
  const facts = tx.selectFrom(table).select('text').where('fax_id', '=', faxId).where('page', '=', 0)
  const page = await facts.executeTakeFirst()
  if (!page) return
  const gone = new Set(changes.flatMap(([was]) => tokensOfNumber(was)))
  const rest = page.text.split(' ').filter((each) => !gone.has(each))
  const text = joinTokens([...changes.flatMap(([, is]) => tokensOfNumber(is)), ...rest])
  await tx.updateTable(table).set({ text }).where('fax_id', '=', faxId).where('page', '=', 0).execute()
}
