import { liveStream } from '@faxdeck/contract'
import type { FastifyInstance } from 'fastify'
import { type EventWriter, serveEvents, type StreamLimits } from '../http/event-stream.ts'
import type { Guards } from '../http/guards.ts'
import type { Changes } from './changes.ts'

/**
 * GET /admin/events: server-sent events that say what has changed, for whoever handles all faxes. What stands there now comes
 * along where it is little, as the usual calls answer it.
 */
export function serveLive(app: FastifyInstance, guards: Guards, changes: Changes, limits: StreamLimits = {}): void {
  const { max = 64 } = limits
  serveEvents(app, guards, {
    ...limits,
    max,
    path: liveStream.path,
    full: `${max} consoles are being told of changes already.`,
    admit: async (request) => {
      const origin = guards.originOf(request)
      guards.checkLocal(origin)
      return guards.admit(liveStream.permission, request, origin)
    },
    open: async () => {
      let writer: EventWriter | undefined
      const stop = await changes.follow((message) => writer?.write(`event: change\ndata: ${JSON.stringify(message)}`))
      return { begin: (given) => void (writer = given), stop }
    },
  })
}
