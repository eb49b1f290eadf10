import { setImmediate as turn } from 'node:timers/promises'

/**
 * Rows page after page, other callers being answered in between.
 * @param size of a page
 * @param read the rows after one, in order; the first ones where there is none yet
 */
export async function* inPages<Row>(
  size: number,
  read: (last: Row | undefined) => Promise<Row[]>,
): AsyncGenerator<Row[], void> {
  for (let last: Row | undefined; ;) {
    const rows = await read(last)
    if (rows.length > 0) yield rows
    last = rows.at(-1)
    if (!last || rows.length < size) return
    await turn()
  }
}
