import type { GatewayContext } from '../../base/context.ts'
import type { Feature } from '../../base/feature.ts'
import { Problem } from '../../base/http/answers/problem.ts'
import { deletionsCsv, listDeletions } from './deletions.ts'
import { readRetention, saveRules } from './group-rules.ts'
import { isGroupHeld, lockHolds } from './held.ts'
import { liftHold, listHolds, placeHold } from './holds.ts'
import { finishRemovals } from './removals.ts'
import { confirmClock, pauseDeletions, resumeDeletions } from './steer-cleaning.ts'

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
