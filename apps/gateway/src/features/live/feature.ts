import type { GatewayContext } from '../../base/context.ts'
import type { Feature } from '../../base/feature.ts'
import { readSummaries } from '../../fax/read/read-job.ts'
import { createChanges, type LiveReader, type Changes } from './changes.ts'
import { followOwn } from './own-changes.ts'
import { type LiveMessage, liveStream } from '@faxdeck/contract'
import type { FastifyInstance } from 'fastify'
import { type EventWriter, serveEvents, type StreamLimits } from '../../base/http/event-stream.ts'
import type { Guards } from '../../base/http/callers/guards.ts'

/** Changes of everything, and of what one person sees. */
interface LiveChanges extends Changes {
  followOwn: (viewer: Parameters<typeof followOwn>[1], notify: Parameters<typeof followOwn>[2]) => Promise<() => void>
}

/**
 * GET /admin/events: server-sent events about changes to the faxes that a person sees. For people who handle all faxes,
 * small changes include the new data, as the usual calls return it.
 */
export function serveLive(app: FastifyInstance, guards: Guards, changes: LiveChanges, limits: StreamLimits = {}): void {
  const { max = 64, maxPerKey = 16 } = limits
  serveEvents(app, guards, {
    ...limits,
    max,
    maxPerKey,
    path: liveStream.path,
    full: `${max} consoles are already connected, or ${maxPerKey} with this key or account.`,
    admit: async (request) => {
      const origin = guards.originOf(request)
      guards.checkLocal(origin)
      return guards.admit(liveStream.permission, request, origin)
    },
    open: async (_request, caller) => {
      let writer: EventWriter | undefined
      const notify = (message: LiveMessage) => writer?.write(`event: change\ndata: ${JSON.stringify(message)}`)
      // Carried along are the figures of all faxes: they are for whoever handles all of them.
      const handlesAll = caller.permissions.has('handle_faxes')
      const stop = await (handlesAll ? changes.follow(notify) : changes.followOwn(caller, notify))
      return { begin: (given) => void (writer = given), stop }
    },
  })
}

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
