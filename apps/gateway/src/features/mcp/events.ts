import { randomUUID } from 'node:crypto'
import type { EventStore, JSONRPCMessage } from '@modelcontextprotocol/server'

const maxEvents = 200

/** What was lately said in one session, so that a client whose connection broke receives the rest. */
export function createEventMemory(): EventStore {
  const events = new Map<string, { streamId: string; message: JSONRPCMessage }>()
  return {
    storeEvent: async (streamId, message) => {
      const id = randomUUID()
      events.set(id, { streamId, message })
      const [oldest] = events.keys()
      if (events.size > maxEvents && oldest !== undefined) events.delete(oldest)
      return id
    },
    getStreamIdForEventId: async (id) => events.get(id)?.streamId,
    replayEventsAfter: async (lastId, { send }) => {
      const streamId = events.get(lastId)?.streamId
      if (streamId === undefined) return ''
      let after = false
      for (const [id, event] of events) {
        if (after && event.streamId === streamId) await send(id, event.message)
        if (id === lastId) after = true
      }
      return streamId
    },
  }
}
