import type { RetentionRule } from '@faxdeck/contract'
import type { GatewayContext } from '../context.ts'

const day = 24 * 3_600_000

/** Faxes that are past their time: those of one group, or of none that has a rule of its own. */
export interface Overdue {
  group: string | null
  /** Groups with rules of their own, where `group` is null. */
  except: readonly string[]
  /** Those that ended or came before this instant. */
  before: string
  days: number
}

/** What is past its time now, rule by rule. Rules of 0 days keep everything. */
export async function overdueBy(
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
  return all
    .filter(({ days }) => days > 0)
    .map((rule) => ({ ...rule, before: new Date(now().getTime() - rule.days * day).toISOString() }))
}
