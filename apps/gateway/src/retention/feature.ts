import type { GatewayContext } from '../context.ts'
import type { Feature } from '../feature.ts'
import { deletionsCsv, listDeletions } from './deletions.ts'
import { readRetention, saveRules } from './group-rules.ts'
import { liftHold, listHolds, placeHold } from './holds.ts'
import { finishRemovals } from './removals.ts'

/** How long documents are kept, what keeps them longer, and what was deleted. */
export const createRetention = (context: GatewayContext) =>
  ({
    name: 'retention',
    routes: {
      listHolds: ({ query }) => listHolds(context, query.fax),
      placeHold: ({ body, caller }) => placeHold(context, body, caller.keyId),
      liftHold: ({ params, body, caller }) => liftHold(context, params.id, body.reason, caller.keyId),
      getRetention: () => readRetention(context),
      setRetention: ({ body, caller }) => saveRules(context, body, caller.keyId),
      listDeletions: ({ query }) => listDeletions(context, query),
      exportDeletions: async ({ query }) => ({
        content: await deletionsCsv(context, query),
        fileName: 'deletions.csv',
      }),
    },
    expire: () => finishRemovals(context),
  }) satisfies Feature
