import type { TrailCopy } from '@faxdeck/contract'
import type { GatewayContext } from '../../base/context.ts'
import type { TrailCopyRow } from '../../base/db/tables/trail-copies.ts'
import { compareMarks, marksOf } from './marks.ts'
import { listCopies } from './store.ts'

/** A place that is this far behind for this long is not merely slow. */
const standingMs = 15 * 60_000

type Parts = Pick<GatewayContext, 'database' | 'settings' | 'now'>

function targetsOf({ settings }: Parts): [TrailCopyRow['sink'], string][] {
  const { trail_syslog: syslog, trail_webhook_url: url, trail_file: file } = settings.current()
  const named = { syslog, webhook: url, file }
  return (Object.entries(named) as [TrailCopyRow['sink'], string | null][]).flatMap(([sink, target]) =>
    target === null ? [] : [[sink, target]],
  )
}

/** What stands behind the question mark may be a secret. */
const withoutQuery = (url: string) => url.replace(/\?.*$/s, '')

/** When the oldest entry that a place lacks was recorded; null when it has all. */
async function waitingSince({ database }: Parts, seq: number): Promise<string | null> {
  const next = database.db.selectFrom('audit_events').select('ts').where('seq', '>', seq).orderBy('seq').limit(1)
  return (await next.executeTakeFirst())?.ts ?? null
}

/** The first entry that may be otherwise than it was copied; null when all is as it was. */
async function cutAt({ database }: Parts, row: TrailCopyRow | undefined): Promise<number | null> {
  if (row === undefined) return null
  const { fits, misfits } = await compareMarks(database, marksOf(row), row.seq)
  if (misfits.length === 0) return row.cut_at
  return Math.min(row.cut_at ?? Infinity, fits.seq + 1)
}

/** How many seconds ago the oldest entry that each place lacks was recorded; 0 where none is lacking. */
export async function readLags(parts: Parts): Promise<Map<string, number>> {
  const rows = await listCopies(parts.database)
  const lags = new Map<string, number>()
  for (const [sink, target] of targetsOf(parts)) {
    const row = rows.find((one) => one.sink === sink && one.target === target)
    const since = await waitingSince(parts, row?.seq ?? 0)
    lags.set(sink, since === null ? 0 : Math.max(0, (parts.now().getTime() - Date.parse(since)) / 1000))
  }
  return lags
}

/** How far the audit trail was copied to each place that the settings name. */
export async function presentCopies(parts: Parts): Promise<TrailCopy[]> {
  const rows = new Map((await listCopies(parts.database)).map((row) => [row.sink, row]))
  const head = await parts.database.db.selectFrom('audit_head').select('seq').executeTakeFirstOrThrow()
  return Promise.all(
    targetsOf(parts).map(async ([sink, target]): Promise<TrailCopy> => {
      const known = rows.get(sink)
      const row = known?.target === target ? known : undefined
      const seq = row?.seq ?? 0
      const cut_at = await cutAt(parts, row)
      const since = await waitingSince(parts, seq)
      const isStanding = since !== null && parts.now().getTime() - Date.parse(since) >= standingMs
      return {
        sink,
        target: sink === 'webhook' ? withoutQuery(target) : target,
        copied: seq,
        behind: Math.max(0, head.seq - seq),
        waiting_since: since,
        sent_at: row?.sent_at ?? null,
        anchored_at: row?.anchored_at ?? null,
        error: row?.error ?? null,
        state: cut_at === null ? (isStanding ? 'standing' : row?.error ? 'failing' : 'ok') : 'cut',
        cut_at,
      }
    }),
  )
}
