import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { NodeStreamableHTTPServerTransport, toNodeHandler, toWebRequest } from '@modelcontextprotocol/node'
import {
  type AuthInfo,
  createMcpHandler,
  isLegacyRequest,
  type McpServer,
  type EventStore,
  type JSONRPCMessage,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { Sessions } from './sessions.ts'
import { buffer } from 'node:stream/consumers'
import { createMcpServer, type ToolAnswer, type ToolCalls, ToolRefusal, type ToolRoutes } from '@faxdeck/mcp-tools'
import type { FileAnswer } from '../../base/http/handler.ts'
import type { InsideCalls, Who } from '../../base/http/inside-calls.ts'
import { Problem } from '../../base/http/answers/problem.ts'

/** Serves one request of an admitted caller; it writes the answer itself. */
export type Serve = (request: IncomingMessage, response: ServerResponse, body: unknown, auth: AuthInfo) => Promise<void>

interface Transport {
  serve: Serve
  close: () => Promise<void>
}

const sessionOf = (request: IncomingMessage) => {
  const id = request.headers['mcp-session-id']
  return typeof id === 'string' ? id : undefined
}

/**
 * Streamable HTTP, in both manners that clients speak: each request by itself (MCP 2026-07-28), and sessions that can
 * be resumed (MCP 2025-11-25 and before).
 */
export function createHttpTransport(makeServer: () => McpServer, now: () => Date): Transport {
  const modern = createMcpHandler(makeServer, { legacy: 'reject' })
  const serveModern = toNodeHandler(modern)
  const sessions = new Sessions<NodeStreamableHTTPServerTransport>(now)

  const begin = async (auth: AuthInfo) => {
    const transport: NodeStreamableHTTPServerTransport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      eventStore: createEventMemory(),
      onsessioninitialized: (id) => {
        sessions.add(id, transport, auth.clientId, () => transport.close())
      },
      onsessionclosed: (id) => {
        sessions.end(id)
      },
    })
    await makeServer().connect(transport)
    return transport
  }
  return {
    serve: async (request, response, body, auth) => {
      const asked = Object.assign(request, { auth })
      if (!(await isLegacyRequest(await toWebRequest(request, body), body))) {
        await serveModern(asked, response, body)
        return
      }
      const id = sessionOf(request)
      const transport = id === undefined ? await begin(auth) : sessions.find(id, auth.clientId)
      await transport.handleRequest(asked, response, body)
    },
    close: async () => {
      sessions.endAll()
      await modern.close()
    },
  }
}

const maxEvents = 200

/** What was lately said in one session, so that a client whose connection broke receives the rest. */
function createEventMemory(): EventStore {
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

/** Who calls a tool: the guards of the transport have put it into the request. */
function whoOf(context: ServerContext): Who {
  const who = context.http?.authInfo?.extra?.['who']
  if (!who) throw new Problem('unauthorized')
  return who as Who
}

const isFile = (answer: unknown): answer is FileAnswer =>
  typeof answer === 'object' && answer !== null && 'content' in answer

async function bytesOf({ content }: FileAnswer): Promise<Buffer> {
  return content instanceof Uint8Array ? Buffer.from(content) : buffer(content)
}

/** The gateway's own calls for the tools, with the rights of the caller. */
function toolCallsOf(calls: InsideCalls<ToolRoutes>): ToolCalls {
  return async <N extends ToolRoutes>(name: N, input: object, context: ServerContext) => {
    try {
      const answer: unknown = await calls(name, input, whoOf(context))
      return (isFile(answer) ? await bytesOf(answer) : answer) as ToolAnswer<N>
    } catch (error) {
      throw error instanceof Problem ? new ToolRefusal(error.message, error.code) : error
    }
  }
}

/** An MCP server over the gateway's own calls: a caller may do what their key or token allows, no more. */
export const serverOver = (calls: InsideCalls<ToolRoutes>, version: string): McpServer =>
  createMcpServer(toolCallsOf(calls), version)
