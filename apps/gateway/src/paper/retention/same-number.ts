import { type RawBuilder, sql } from 'kysely'

/** Fewer digits than this name no subscriber, and would match too much. */
const fewestDigits = 7

/**
 * Whether the number of a column, which is as the provider wrote it, is one in E.164 form: it may be written so, or
 * nationally with or without a trunk 0. A national number matches by its end, whatever the country: it rather matches
 * too much.
 * @param wanted the number in E.164 form, as a value or a column
 */
export function matchesNumber(column: string, wanted: RawBuilder<unknown>): RawBuilder<boolean> {
  const plain = ['-', '(', ')', '.', '/'].reduce<RawBuilder<unknown>>(
    (text, mark) => sql`replace(${text}, ${sql.lit(mark)}, '')`,
    sql`replace(${sql.ref(column)}, ' ', '')`,
  )
  const end = sql`ltrim(${plain}, '0')`
  return sql<boolean>`(${wanted} = ${plain} or (
    ${plain} not like '+%' and length(${end}) >= ${sql.lit(fewestDigits)}
    and substr(${wanted}, length(${wanted}) - length(${end}) + 1) = ${end}))`
}

/** As `matchesNumber`, for a number that is at hand. */
export function mayBeNumber(written: string | null, wanted: string): boolean {
  const plain = (written ?? '').replace(/[ \-()./]/g, '')
  const end = plain.replace(/^0+/, '')
  return plain === wanted || (!plain.startsWith('+') && end.length >= fewestDigits && wanted.endsWith(end))
}
