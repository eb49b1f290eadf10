import type { Database } from '../../base/db/database.ts'
import type { TrailCopyRow } from '../../base/db/tables/trail-copies.ts'
import { type ChainHead as Head, hashOf } from '../../base/events/chain.ts'

/** What the database has of what was copied. */
export interface Standing {
  /** The last copied mark up to which the database has all of them as they were; 0 for none. */
  fits: Head
  /** The marks that it lacks or has otherwise. */
  misfits: readonly Head[]
}

const beginning: Head = { seq: 0, hash: '' }
const perDoubling = 2

/** The marks of a copy, oldest first; the last one is how far it has come. */
export function marksOf({ seq, hash, marks }: Pick<TrailCopyRow, 'seq' | 'hash' | 'marks'>): Head[] {
  const earlier = (JSON.parse(marks) as Head[]).filter((mark) => mark.seq < seq)
  return seq === 0 ? [] : [...earlier, { seq, hash }]
}

/**
 * Thins out marks: the further back, the wider apart, the first and the last of each doubling of the distance from the
 * newest. Forty of them reach over a million entries, and where the database stops to fit is known to within a small
 * multiple of how far back it is.
 */
export function thinned(marks: readonly Head[]): Head[] {
  const newest = marks.at(-1)?.seq ?? 0
  const doublingOf = ({ seq }: Head) => Math.floor(Math.log2(newest - seq + 1))
  const doublings = Map.groupBy(marks, doublingOf)
  return [...doublings.values()].flatMap((group) =>
    group.length > perDoubling ? [group[0], group.at(-1)] : group,
  ) as Head[]
}

/**
 * Looks up marks in the database: number, hash, and that the entry still is what its hash says.
 * @param marks in the order of their numbers
 * @param copied up to which number they are copied
 */
export async function compareMarks({ db }: Database, marks: readonly Head[], copied: number): Promise<Standing> {
  if (marks.length === 0) return { fits: beginning, misfits: [] }
  const numbers = marks.map(({ seq }) => seq)
  const rows = await db.selectFrom('audit_events').selectAll().where('seq', 'in', numbers).execute()
  const found = new Map(rows.map((row) => [row.seq, row]))
  const isAsCopied = ({ seq, hash }: Head) => {
    const row = found.get(seq)
    return row?.hash === hash && hashOf(row) === hash
  }
  const misfits = marks.filter((mark) => !isAsCopied(mark))
  const [first] = misfits
  const whole = first ? marks.slice(0, marks.indexOf(first)) : marks
  return { fits: whole.findLast(({ seq }) => seq <= copied) ?? beginning, misfits }
}
