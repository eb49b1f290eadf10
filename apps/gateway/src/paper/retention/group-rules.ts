import { hash } from 'node:crypto'
import type { Retention, RetentionRule } from '@faxdeck/contract'
import { assertStillGood } from '../../access/actors/still-good.ts'
import type { GatewayContext } from '../../base/context.ts'
import type { Tx, Reader } from '../../base/db/database.ts'
import { transact } from '../../base/db/transact.ts'
import { Problem } from '../../base/http/answers/problem.ts'
import { lockHolds } from './held.ts'
import { readKeyNames } from '../../access/actors/key-names.ts'
import { readCleaning, noticeMs } from './rules.ts'

async function showCleaning({ database }: Pick<GatewayContext, 'database'>): Promise<Retention['cleaning']> {
  const { believed_at, paused_at, paused_by, announced_at, announced } = await readCleaning(database.db)
  const names = paused_by === null ? undefined : await readKeyNames(database, [paused_by])
  return {
    believed_at,
    paused_at,
    paused_by_name: names?.get(paused_by ?? '') ?? paused_by,
    announced,
    deletes_at: announced_at && new Date(Date.parse(announced_at) + noticeMs).toISOString(),
  }
}

const overwrites =
  'Somebody has changed the retention rules since you opened them. Nothing was saved. Look at the rules as they are now, and make your change again.'

const readRules = (db: Reader): Promise<RetentionRule[]> =>
  db.selectFrom('retention_rules').selectAll().orderBy('direction').orderBy('group_id').execute()

const versionOf = (rules: readonly RetentionRule[]): string =>
  hash('sha256', JSON.stringify(rules.map(({ direction, group_id, days }) => [direction, group_id, days]))).slice(0, 16)

export async function readRetention({
  database,
  settings,
}: Pick<GatewayContext, 'database' | 'settings'>): Promise<Retention> {
  const { artifact_ttl_days: sent_days, inbound_retention_days: received_days } = settings.current()
  const rules = await readRules(database.db)
  return { sent_days, received_days, rules, version: versionOf(rules), cleaning: await showCleaning({ database }) }
}

/** A rule outlives its group, whose faxes go by it still; a new one needs a group. @throws {Problem} `not_found` */
async function requireGroups(tx: Tx, rules: readonly RetentionRule[], present: readonly RetentionRule[]) {
  const known = new Set(present.map(({ group_id: id }) => id))
  for (const id of new Set(rules.map(({ group_id }) => group_id))) {
    const group = tx.selectFrom('groups').select('id').where('id', '=', id)
    if (!known.has(id) && !(await group.executeTakeFirst()))
      throw new Problem('not_found', `There is no group with the id "${id}".`)
  }
}

/**
 * Replaces the rules, unless somebody else has changed them meanwhile.
 * @param version of the rules that the caller has seen
 * @throws {Problem} `bad_request` when two rules are about the same, `not_found` for a group that is not there,
 *   `conflict` when the rules are not those of the version
 */
export async function saveRules(
  context: GatewayContext,
  { rules, version }: Pick<Retention, 'rules' | 'version'>,
  keyId: string,
): Promise<Retention> {
  const { database, events, now } = context
  const names = rules.map(({ direction, group_id: group }) => `${direction} ${group}`)
  if (new Set(names).size < names.length)
    throw new Problem('bad_request', 'There are two rules for the same group and direction. Leave one out.')
  await transact(database, async (tx) => {
    await assertStillGood(tx, keyId, now())
    // Of two who save at once, the second finds what the first has saved.
    await lockHolds(tx, database.engine, 'alone')
    const present = await readRules(tx)
    if (versionOf(present) !== version) throw new Problem('conflict', overwrites)
    await requireGroups(tx, rules, present)
    await tx.deleteFrom('retention_rules').execute()
    if (rules.length > 0)
      await tx
        .insertInto('retention_rules')
        .values([...rules])
        .execute()
    const shown = rules.map(({ direction, group_id: group, days }) => `${direction} ${group} ${days}`)
    await events.retentionChanged({ key_id: keyId, rules: shown }, tx)
  })
  return readRetention(context)
}
