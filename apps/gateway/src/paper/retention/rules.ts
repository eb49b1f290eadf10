import type { RetentionRule } from '@faxdeck/contract'
import { type RawBuilder, sql } from 'kysely'
import type { GatewayContext } from '../../base/context.ts'
import type { Reader } from '../../base/db/database.ts'
import type { CleaningStateRow } from '../../base/db/tables/retention.ts'

/** What deletions go by, and whether they are announced or paused. */
export const readCleaning = (db: Reader): Promise<CleaningStateRow> =>
  db.selectFrom('cleaning_state').selectAll().executeTakeFirstOrThrow()

const day = 24 * 3_600_000
/** How long a deletion of more than usual is shown before it happens. */
export const noticeMs = day

/** Faxes that are past their time: those of one group, or of none that has a rule of its own. */
export interface Overdue {
  group: string | null
  /** Groups with rules of their own, where `group` is null. */
  except: readonly string[]
  /** Those that ended or came before this instant. */
  before: string
  days: number
  /** The time that this goes by. */
  at: string
}

/** Whether nobody has paused deletions. In a transaction that holds `lockHolds`, nobody does until its end. */
export const mayDelete = sql<boolean>`not exists (select 1 from cleaning_state where paused_at is not null)`

/** Rule by rule, what is past its time. Rules of 0 days keep everything. */
export async function rulesOf(
  { database, settings, now }: GatewayContext,
  direction: RetentionRule['direction'],
): Promise<Overdue[]> {
  const { artifact_ttl_days: sent, inbound_retention_days: received } = settings.current()
  const rules = await database.db.selectFrom('retention_rules').selectAll().where('direction', '=', direction).execute()
  const except = rules.map(({ group_id: id }) => id)
  const all = [
    ...rules.map(({ group_id: group, days }) => ({ group, except: [], days })),
    { group: null, except, days: direction === 'sent' ? sent : received },
  ]
  const at = now().getTime()
  return all
    .filter(({ days }) => days > 0)
    .map((rule) => ({
      ...rule,
      before: new Date(at - rule.days * day).toISOString(),
      at: new Date(at).toISOString(),
    }))
}

/** What is past its time and to be deleted now: nothing while that is announced only. */
export async function overdueBy(context: GatewayContext, direction: RetentionRule['direction']): Promise<Overdue[]> {
  const { announced_at: announced } = await readCleaning(context.database.db)
  const isShownOnly = announced !== null && Date.parse(announced) + noticeMs > context.now().getTime()
  return isShownOnly ? [] : rulesOf(context, direction)
}

/** In a query of faxes: whether a rule is about one that was stamped so, and may be carried out. */
export function isOverdue(stamp: string, { group, except, before, at }: Overdue): RawBuilder<boolean> {
  const column = sql.ref(stamp)
  const ofRule =
    group !== null
      ? sql`group_id = ${group}`
      : except.length > 0
        ? sql`(group_id is null or group_id not in (${sql.join(except)}))`
        : sql`1 = 1`
  // A clock that was behind has stamped it; by a clock that still is, it is as old as it looks.
  const isYounger = sql`exists (select 1 from clock_setbacks as setback where ${column} >= setback.from_at
    and ${column} <= setback.to_at and setback.ended_at >= ${before} and setback.to_at < ${at})`
  return sql<boolean>`(${column} < ${before} and ${ofRule} and not ${isYounger} and ${mayDelete})`
}
