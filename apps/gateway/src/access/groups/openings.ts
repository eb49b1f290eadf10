import type { Opening } from '@faxdeck/contract'
import type { Kysely } from 'kysely'
import type { Tx } from '../../base/db/database.ts'
import type { FaxOpeningRow } from '../../base/db/tables/groups.ts'
import type { Tables } from '../../base/db/tables/tables.ts'

type Reader = Kysely<Tables> | Tx

export async function insertOpening(tx: Tx, row: FaxOpeningRow): Promise<void> {
  await tx.insertInto('fax_openings').values(row).execute()
}

/** What somebody who opens a fax is called in the audit trail. */
export async function nameOf(tx: Tx, personId: string): Promise<string> {
  const found = await tx.selectFrom('people').select('name').where('id', '=', personId).executeTakeFirst()
  return found?.name ?? personId
}

/** When a person tried to open faxes, oldest first, those that were not there too. */
export async function triesOf(tx: Tx, personId: string, after: string): Promise<string[]> {
  const rows = tx.selectFrom('fax_openings').select('created_at').where('person_id', '=', personId)
  const tries = await rows.where('created_at', '>', after).orderBy('created_at').execute()
  return tries.map(({ created_at: at }) => at)
}

/** The faxes that a person has open now outside of their groups, by their ids. */
export async function openedBy(db: Reader, personId: string, now: string): Promise<string[]> {
  const rows = db.selectFrom('fax_openings').select('fax_id').where('person_id', '=', personId)
  return (await rows.where('until', '>', now).execute()).map(({ fax_id: id }) => id)
}

/** Who opened a fax outside of their groups, oldest first. */
export async function readOpenings(db: Reader, faxId: string): Promise<{ openings: Opening[] }> {
  const openings = await db
    .selectFrom('fax_openings')
    .innerJoin('people', 'people.id', 'fax_openings.person_id')
    .select(['people.id as person_id', 'people.name', 'reason', 'fax_openings.created_at as opened_at', 'until'])
    .where('fax_id', '=', faxId)
    .where('until', 'is not', null)
    .orderBy('fax_openings.created_at')
    .orderBy('fax_openings.id')
    .execute()
  return { openings: openings.map((each) => ({ ...each, until: each.until ?? each.opened_at })) }
}
