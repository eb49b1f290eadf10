import type { PageCode, PageText } from '@faxdeck/documents'
import { type Insertable, sql } from 'kysely'
import type { Database, Tx, Reader } from '../../base/db/database.ts'
import type { PageTextRow } from '../../base/db/tables/pages.ts'
import { visibleIn, type VisibleFaxes } from '../../access/visible.ts'
import { joinTokens, matchOf, type Query, tokensOf, tsqueryOf } from './fold.ts'
import { cipherOf, layoutName, openText, type PageCipher } from './cipher.ts'
import { packWords } from './layout.ts'

/** Which way a fax went. */
export type Direction = 'sent' | 'received'

const faxesOf = { sent: 'fax_jobs', received: 'inbound_faxes' } as const satisfies Record<Direction, string>
export const pagesOf = { sent: 'sent_pages', received: 'received_pages' } as const satisfies Record<Direction, string>

type NewPage = Omit<Insertable<PageTextRow>, 'id'>

/**
 * A page as it is stored.
 * @param facts the numbers and the name, so that they are found together with its words
 * @param cipher seals what the page says; the numbers and the name of page 0 stand in the database anyway
 */
export function newPage(
  faxId: string,
  page: number,
  read: PageText | undefined,
  {
    facts,
    codes = [],
    cipher,
  }: { facts: readonly string[]; codes?: readonly PageCode[]; cipher?: PageCipher | undefined },
): NewPage {
  const said = (read?.words ?? []).flatMap(({ text }) => tokensOf(text))
  const coded = page === 1 ? codes.flatMap(({ text }) => tokensOf(text)) : []
  const tokens = [...facts, ...said, ...coded]
  const layout = read === undefined ? null : packWords(read.words)
  const row = { fax_id: faxId, page, source: page === 0 ? 'facts' : (read?.source ?? 'unreadable') } as const
  if (!cipher || page === 0) return { ...row, text: joinTokens(tokens), layout }
  return {
    ...row,
    text: joinTokens(cipher.termsOf([...new Set(tokens)])),
    layout: layout && cipher.seal(layoutName(faxId, page), layout),
  }
}

/** Puts pages in; those that are there stay as they are. */
export async function insertPages(tx: Tx, direction: Direction, pages: readonly NewPage[]): Promise<void> {
  if (pages.length === 0) return
  await tx
    .insertInto(pagesOf[direction])
    // Both databases number them.
    .values(pages as PageTextRow[])
    .onConflict((conflict) => conflict.columns(['fax_id', 'page']).doNothing())
    .execute()
}

/** The highest page that is there; undefined when none is. */
export async function lastPage(db: Reader, direction: Direction, faxId: string): Promise<number | undefined> {
  const found = db.selectFrom(pagesOf[direction]).select('page').where('fax_id', '=', faxId)
  return (await found.orderBy('page', 'desc').limit(1).executeTakeFirst())?.page
}

/** The pages of a fax that hold words, in their order. */
export async function readLayouts(
  db: Reader,
  direction: Direction,
  faxId: string,
): Promise<Pick<PageTextRow, 'page' | 'source' | 'layout'>[]> {
  const rows = await db
    .selectFrom(pagesOf[direction])
    .select(['page', 'source', 'layout'])
    .where('fax_id', '=', faxId)
    .where('layout', 'is not', null)
    .orderBy('page')
    .execute()
  return rows.map((row) => ({ ...row, layout: row.layout && openText(layoutName(faxId, row.page), row.layout) }))
}

/** A page on which all that was looked for was found. */
export interface FoundPage {
  fax_id: string
  page: number
}

/** The pages that were read last come first. @param factsOnly looks for numbers and names, not for what pages say */
export async function findPages(
  database: Database,
  direction: Direction,
  query: Query,
  { max, factsOnly = false, visible = 'all' }: { max: number; factsOnly?: boolean; visible?: VisibleFaxes },
): Promise<FoundPage[]> {
  const { db, engine } = database
  const sealed = cipherOf(database)?.questionOf(query)
  /** Words that were read before encryption was turned on, and terms. */
  const either = (write: (asked: Query) => string, or: string) =>
    sealed ? `(${write(query)})${or}(${write(sealed)})` : write(query)
  const pages = sql.table(pagesOf[direction])
  const only = factsOnly ? sql`and page = 0` : sql``
  const faxes = faxesOf[direction]
  const isSeen = visibleIn(visible, faxes)
  const seen = isSeen ? sql`and fax_id in (select id from ${sql.table(faxes)} where ${isSeen})` : sql``
  if (engine === 'postgres') {
    const fits = sql`array_to_tsvector(string_to_array(text, ' ')) @@ ${either(tsqueryOf, ' | ')}::tsquery`
    const found = sql<FoundPage>`select fax_id, page from ${pages} where ${fits} ${only} ${seen} order by id desc limit ${max}`
    return (await found.execute(db)).rows
  }
  const index = sql.table(`${pagesOf[direction]}_index`)
  // Taken from the end of the index: what the rest of it holds is not read.
  const matching = sql`select rowid from ${index} where ${index} match ${either(matchOf, ' OR ')}`
  if (isSeen) {
    const rows = sql<FoundPage>`select fax_id, page from ${pages} where id in (${matching}) ${only} ${seen} order by id desc limit ${max}`
    return (await rows.execute(db)).rows
  }
  const ids = sql`${matching} order by rowid desc limit ${max}`
  const covering = sql`indexed by ${sql.ref(`${pagesOf[direction]}_found`)}`
  const rows = sql<FoundPage>`select fax_id, page from ${pages} ${covering} where id in (${ids}) ${only} order by id desc`
  return (await rows.execute(db)).rows
}
