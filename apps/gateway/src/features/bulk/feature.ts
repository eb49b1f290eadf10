import type { GatewayContext } from '../../base/context.ts'
import { transact } from '../../base/db/transact.ts'
import type { Feature } from '../../base/feature.ts'
import { Problem } from '../../base/http/answers/problem.ts'
import { findAble } from './able-jobs.ts'
import { carryOut } from './carry-out.ts'
import { bulkWork, findBulk, presentBulk, startBulk } from './start-bulk.ts'

const retentionDays = 30

async function requireBulk(context: GatewayContext, id: string) {
  const bulk = await findBulk(context, id)
  if (!bulk) throw new Problem('not_found', 'There is no bulk action with this id.')
  return bulk
}

/** Stops a bulk action. What it has changed until the answer is counted, and it changes nothing after that. */
export async function stopBulk(context: GatewayContext, id: string, by: string) {
  await requireBulk(context, id)
  await transact(context.database, async (tx) => {
    // First, as whoever changes a fax does: what is under way is waited for, and nothing begins after it.
    await tx.deleteFrom('bulk_parts').where('bulk_id', '=', id).execute()
    const stopped = await tx
      .updateTable('bulk_actions')
      .set({ finished_at: context.now().toISOString() })
      .where('id', '=', id)
      .where('finished_at', 'is', null)
      .executeTakeFirst()
    if (stopped.numUpdatedRows > 0n) await context.events.bulkStopped({ bulk: id, key_id: by }, tx)
  })
  return requireBulk(context, id)
}

async function expireBulk({ database: { db }, now }: GatewayContext): Promise<void> {
  const before = new Date(now().getTime() - retentionDays * 86_400_000).toISOString()
  await db.deleteFrom('bulk_actions').where('finished_at', '<', before).execute()
}

/** Does the same with all jobs of a filter, also when that takes longer than a request, or than this process lives. */
export const createBulk = (context: GatewayContext) =>
  ({
    name: 'bulk',
    routes: {
      countBulk: async ({ query: { action, force, ...filter } }) => {
        const { ids, isMinimum } = await findAble(context, action, filter, { force: force === 'true' })
        return { count: ids.length, is_minimum: isMinimum }
      },
      createBulk: async ({ body, caller }) => presentBulk(await startBulk(context, body, caller.keyId)),
      getBulk: async ({ params }) => presentBulk(await requireBulk(context, params.id)),
      stopBulk: async ({ params, caller }) => presentBulk(await stopBulk(context, params.id, caller.keyId)),
    },
    work: { [bulkWork]: (claim, signal) => carryOut(context, claim, signal) },
    expire: (now = context.now) => expireBulk({ ...context, now }),
  }) satisfies Feature
