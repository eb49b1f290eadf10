import type { GatewayContext } from '../../base/context.ts'
import type { Feature } from '../../base/feature.ts'
import { Problem } from '../../base/http/answers/problem.ts'
import { deletionsCsv, listDeletions } from './deletions.ts'
import { readRetention, saveRules } from './group-rules.ts'
import { isGroupHeld, lockHolds } from './held.ts'
import { liftHold, listHolds, placeHold } from './holds.ts'
import { finishRemovals } from './removals.ts'
import { assertStillGood } from '../../access/actors/still-good.ts'
import type { Tx } from '../../base/db/database.ts'
import { transact } from '../../base/db/transact.ts'
import { readCleaning } from './rules.ts'

type Parts = Pick<GatewayContext, 'database' | 'events' | 'now'>

/** Nothing is deleted while somebody changes what deletions go by. */
const steer = ({ database, now }: Parts, keyId: string, change: (tx: Tx) => Promise<void>): Promise<void> =>
  transact(database, async (tx) => {
    await assertStillGood(tx, keyId, now())
    await lockHolds(tx, database.engine, 'alone')
    await change(tx)
  })

/** From the moment this resolves, no document is deleted because it is past its time. */
export const pauseDeletions = (context: Parts, keyId: string): Promise<void> =>
  steer(context, keyId, async (tx) => {
    const paused = { paused_at: context.now().toISOString(), paused_by: keyId }
    const { numUpdatedRows } = await tx
      .updateTable('cleaning_state')
      .set(paused)
      .where('paused_at', 'is', null)
      .executeTakeFirst()
    if (numUpdatedRows > 0n) await context.events.deletionsPaused({ key_id: keyId }, tx)
  })

/** What has become old during the pause is announced first, if it is more than usual. */
export const resumeDeletions = (context: Parts, keyId: string): Promise<void> =>
  steer(context, keyId, async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('cleaning_state')
      .set({ paused_at: null, paused_by: null, announced_at: null, announced: 0 })
      .where('paused_at', 'is not', null)
      .executeTakeFirst()
    if (numUpdatedRows > 0n) await context.events.deletionsResumed({ key_id: keyId }, tx)
  })

/** A person says that the clock of this machine is right: deletions go by it from now on. */
export const confirmClock = (context: Parts, keyId: string): Promise<void> =>
  steer(context, keyId, async (tx) => {
    const at = context.now().toISOString()
    const { believed_at: before } = await readCleaning(tx)
    await tx
      .updateTable('cleaning_state')
      .set((eb) => ({ believed_at: at, believed_no: eb('believed_no', '+', 1) }))
      .execute()
    // Those that seem to have ended later were none: what was believed was ahead.
    await tx.deleteFrom('clock_setbacks').where('ended_at', '>', at).execute()
    await context.events.clockConfirmed({ key_id: keyId, before }, tx)
  })

const heldSentence = (name: string) =>
  `A legal hold is on the group ${name}, so it can’t be deleted. Lift the hold first, under Retention.`

/** How long documents are kept, what keeps them longer, and what was deleted. */
export function createRetention(context: GatewayContext) {
  const { database, moments } = context
  moments.groupEnds.push(async (tx, { id, name }) => {
    await lockHolds(tx, database.engine, 'shared')
    if (await isGroupHeld(tx, id)) throw new Problem('conflict', heldSentence(name))
  })
  return {
    name: 'retention',
    routes: {
      listHolds: ({ query }) => listHolds(context, query.fax),
      placeHold: ({ body, caller }) => placeHold(context, body, caller.keyId),
      liftHold: ({ params, body, caller }) => liftHold(context, params.id, body.reason, caller.keyId),
      getRetention: () => readRetention(context),
      setRetention: ({ body, caller }) => saveRules(context, body, caller.keyId),
      pauseDeletions: async ({ caller }) => {
        await pauseDeletions(context, caller.keyId)
        return readRetention(context)
      },
      resumeDeletions: async ({ caller }) => {
        await resumeDeletions(context, caller.keyId)
        return readRetention(context)
      },
      confirmClock: async ({ caller }) => {
        await confirmClock(context, caller.keyId)
        return readRetention(context)
      },
      listDeletions: ({ query }) => listDeletions(context, query),
      exportDeletions: async ({ query }) => ({
        content: await deletionsCsv(context, query),
        fileName: 'deletions.csv',
      }),
    },
    tidy: () => finishRemovals(context),
  } satisfies Feature
}
