import type { GatewayContext } from '../../base/context.ts'
import { inPages } from '../../base/db/in-pages.ts'
import type { AuditEventRow } from '../../base/db/tables/tables.ts'
import type { Ledger, RecordFile } from './ledger.ts'
import type { Subject } from './subject.ts'

const atOnce = 2000
const perFile = 10_000

interface Facts {
  approval?: string
  hold?: string
  person?: string
  number?: string
  numbers?: readonly string[]
}

/** Whether an entry is about the subject, its faxes, its requests or a hold on it. Numbers stand masked in most entries. */
export function concerns(
  row: Pick<AuditEventRow, 'job_id' | 'key_id' | 'fields'>,
  subject: Subject,
  holds: ReadonlySet<string>,
  ledger: Pick<Ledger, 'faxes' | 'requests'>,
): boolean {
  if (row.job_id !== null && ledger.faxes.has(row.job_id)) return true
  const { approval, hold, person, number, numbers } = JSON.parse(row.fields) as Facts
  if ((approval && ledger.requests.has(approval)) || (hold && holds.has(hold))) return true
  if (subject.kind === 'person') return row.key_id === subject.actor || person === subject.person
  return number === subject.number || numbers?.includes(subject.number) === true
}

const entriesUntil = ({ database: { db } }: GatewayContext, end: number) =>
  inPages<AuditEventRow>(atOnce, (last) =>
    db
      .selectFrom('audit_events')
      .selectAll()
      .where('seq', '>', last?.seq ?? 0)
      .where('seq', '<=', end)
      .orderBy('seq')
      .limit(atOnce)
      .execute(),
  )

/** The entries of the audit trail that concern the subject, as they are hashed, in files of JSON lines. */
export async function* trailFiles(
  context: GatewayContext,
  subject: Subject,
  ledger: Ledger,
  holds: ReadonlySet<string>,
): AsyncGenerator<RecordFile, void> {
  const { seq } = await context.database.db.selectFrom('audit_head').select('seq').executeTakeFirstOrThrow()
  let lines: string[] = []
  let files = 0
  const file = (): RecordFile => {
    files += 1
    const content = Buffer.from(lines.join(''))
    lines = []
    return { path: `audit-trail/${String(files).padStart(4, '0')}.jsonl`, content, at: context.now() }
  }
  for await (const rows of entriesUntil(context, seq)) {
    for (const row of rows) {
      if (!concerns(row, subject, holds, ledger)) continue
      ledger.counts.trail_entries += 1
      lines.push(`${JSON.stringify(row)}\n`)
    }
    if (lines.length >= perFile) yield file()
  }
  if (lines.length > 0) yield file()
}
