import type { Deletion, RetentionRule } from '@faxdeck/contract'
import type { GatewayContext } from '../context.ts'
import { transact } from '../db/transact.ts'
import { assertStillGood } from '../api-keys/still-good.ts'
import type { Feature } from '../feature.ts'
import { Problem } from '../http/answers/problem.ts'
import { liftHold, listHolds, placeHold } from './holds.ts'
import { finishRemovals } from './removals.ts'

async function readRetention({ database, settings }: GatewayContext) {
  const { artifact_ttl_days: sent_days, inbound_retention_days: received_days } = settings.current()
  const rules = database.db.selectFrom('retention_rules').selectAll().orderBy('direction').orderBy('group_id')
  return { sent_days, received_days, rules: await rules.execute() }
}

/** @throws {Problem} `bad_request` when two rules are about the same, `not_found` for a group that is not there */
async function saveRules(context: GatewayContext, rules: readonly RetentionRule[], keyId: string): Promise<void> {
  const { database, events, now } = context
  const names = rules.map(({ direction, group_id: group }) => `${direction} ${group}`)
  if (new Set(names).size < names.length)
    throw new Problem('bad_request', 'There are two rules for the same group and direction. Leave one out.')
  await transact(database, async (tx) => {
    await assertStillGood(tx, keyId, now())
    for (const group of new Set(rules.map(({ group_id: id }) => id))) {
      const found = await tx.selectFrom('groups').select('id').where('id', '=', group).executeTakeFirst()
      if (!found) throw new Problem('not_found', `There is no group with the id "${group}".`)
    }
    await tx.deleteFrom('retention_rules').execute()
    if (rules.length > 0)
      await tx
        .insertInto('retention_rules')
        .values([...rules])
        .execute()
    const shown = rules.map(({ direction, group_id: group, days }) => `${direction} ${group} ${days}`)
    await events.retentionChanged({ key_id: keyId, rules: shown }, tx)
  })
}

interface Page {
  before?: number | undefined
  limit: number
}

interface DeletionFields {
  job_id: string
  sha256?: string | null
  pages?: number | null
  created_at?: string
  days?: number
}

/** What was deleted, as the audit trail has it. Entries of releases before 1.2 know little more than the fax. */
async function listDeletions({ database }: GatewayContext, { before, limit }: Page) {
  const rows = await database.db
    .selectFrom('audit_events')
    .select(['seq', 'ts', 'event', 'fields', 'hash'])
    .where('event', 'in', ['document_removed', 'inbound_deleted'])
    .$if(before !== undefined, (query) => query.where('seq', '<', before ?? 0))
    .orderBy('seq', 'desc')
    .limit(limit)
    .execute()
  const deletions = rows.map(({ seq, ts, event, fields, hash }): Deletion => {
    const { job_id, sha256 = null, pages = null, created_at = null, days = null } = JSON.parse(fields) as DeletionFields
    const direction = event === 'document_removed' ? 'sent' : 'received'
    return { seq, at: ts, fax_id: job_id, direction, sha256, pages, created_at, days, hash }
  })
  return { deletions, next: rows.length < limit ? null : (deletions.at(-1)?.seq ?? null) }
}

/** How long documents are kept, what keeps them longer, and what was deleted. */
export const createRetention = (context: GatewayContext) =>
  ({
    name: 'retention',
    routes: {
      listHolds: () => listHolds(context),
      placeHold: ({ body, caller }) => placeHold(context, body, caller.keyId),
      liftHold: ({ params, body, caller }) => liftHold(context, params.id, body.reason, caller.keyId),
      getRetention: () => readRetention(context),
      setRetention: async ({ body, caller }) => {
        await saveRules(context, body.rules, caller.keyId)
        return readRetention(context)
      },
      listDeletions: ({ query }) => listDeletions(context, query),
    },
    expire: () => finishRemovals(context),
  }) satisfies Feature
