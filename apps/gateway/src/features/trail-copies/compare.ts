import type { TrailComparison } from '@faxdeck/contract'
import type { Database } from '../../base/db/database.ts'

interface Copied {
  seq: number
  hash: string
}

/** Looks for the first of some copied entries that the database lacks, or has otherwise. */
export async function compareEntries({ db }: Database, entries: readonly Copied[]): Promise<TrailComparison> {
  const head = await db.selectFrom('audit_head').select('seq').executeTakeFirstOrThrow()
  const numbers = entries.map(({ seq }) => seq)
  const rows = await db
    .selectFrom('audit_events')
    .select(['seq', 'hash', 'event'])
    .where('seq', 'in', numbers)
    .execute()
  const found = new Map(rows.map((row) => [row.seq, row]))
  const first = entries.toSorted((a, b) => a.seq - b.seq).find(({ seq, hash }) => found.get(seq)?.hash !== hash)
  if (!first) return { fits: true, at: null, problem: null, newest: head.seq }
  const event = found.get(first.seq)?.event
  const problem = event === undefined ? 'missing' : event === 'database_restored' ? 'restored' : 'different'
  return { fits: false, at: first.seq, problem, newest: head.seq }
}
