import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { NodeStreamableHTTPServerTransport, toNodeHandler, toWebRequest } from '@modelcontextprotocol/node'
import { type AuthInfo, createMcpHandler, isLegacyRequest, type McpServer } from '@modelcontextprotocol/server'
import { createEventMemory } from './events.ts'
import { Sessions } from './sessions.ts'

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
