import type { GatewayContext } from '../base/context.ts'
import type { Feature } from '../base/feature.ts'
import { providersWith } from '../base/providers/access.ts'
import { expireFaxes } from './expire.ts'
import { faxWork } from './move/ledger.ts'
import { createPreviews } from './preview/previews.ts'
import { serveFaxEvents } from './follow/serve.ts'
import { type FollowedKind, sentFaxes } from './follow/kinds.ts'
import { Waits } from './follow/wait.ts'
import { resumeFaxes } from './line/resume.ts'
import { faxHandlers } from './routes.ts'
import { faxHandler } from './line/work.ts'

/**
 * Sends faxes: accepts them, brings them to their provider, and says what became of them.
 * @param alsoFollowed what can be followed beside the faxes that are sent
 */
export async function createFaxes(context: GatewayContext, alsoFollowed: readonly FollowedKind[] = []) {
  const { breakers, providers, settings } = context
  // What waits because of a provider goes on once its settings were changed.
  settings.onChange(async ({ keys }) => {
    for (const { id } of providersWith(providers, keys)) {
      breakers.forget(id)
      await resumeFaxes(context, id)
    }
  })
  const waits = new Waits(context)
  return {
    name: 'faxes',
    routes: faxHandlers(context, await createPreviews(context), waits),
    serve: ({ app, guards }) => serveFaxEvents(app, guards, context, [sentFaxes, ...alsoFollowed]),
    start: () => () => waits.stop(),
    work: { [faxWork]: faxHandler(context) },
    expire: (now = context.now) => expireFaxes({ ...context, now }),
  } satisfies Feature
}
