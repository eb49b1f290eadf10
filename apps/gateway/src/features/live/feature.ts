import type { GatewayContext } from '../../base/context.ts'
import type { Feature } from '../../base/feature.ts'
import { readSummaries } from '../../fax/read/summaries.ts'
import { createChanges, type LiveReader } from './changes.ts'
import { followOwn } from './own-changes.ts'
import { serveLive } from './routes.ts'

/** Notifies consoles of changes. */
export function createLive(context: GatewayContext, health: LiveReader['health']) {
  const { database, trail, log } = context
  const reader = { health, jobs: (ids: readonly string[]) => readSummaries(context, ids) }
  return {
    name: 'live',
    serve: ({ app, guards }) =>
      serveLive(app, guards, {
        ...createChanges({ database, trail, reader, log }),
        followOwn: (viewer, notify) => followOwn(context, viewer, notify),
      }),
  } satisfies Feature
}
