import type { ServerResponse } from 'node:http'
import type { AuthInfo, McpServer } from '@modelcontextprotocol/server'
import { SSEServerTransport } from '@modelcontextprotocol/server-legacy/sse'
import type { Serve } from './transports.ts'
import { Sessions } from './sessions.ts'

/** The transport of 2024-11-05, which has been replaced by Streamable HTTP: a stream down, single posts up. */
export function createSseTransport(makeServer: () => McpServer, messages: string, now: () => Date) {
  const sessions = new Sessions<SSEServerTransport>(now)
  return {
    /** Opens the stream. */
    open: async (response: ServerResponse, auth: AuthInfo): Promise<void> => {
      const transport = new SSEServerTransport(messages, response)
      sessions.add(transport.sessionId, transport, auth.clientId, () => transport.close())
      response.on('close', () => sessions.end(transport.sessionId))
      await makeServer().connect(transport)
    },
    /** Takes one message; the answer goes down the stream. */
    post: (async (request, response, body, auth) => {
      const { searchParams } = new URL(request.url ?? '/', 'http://localhost')
      const transport = sessions.find(searchParams.get('sessionId') ?? '', auth.clientId)
      await transport.handlePostMessage(Object.assign(request, { auth }), response, body)
    }) satisfies Serve,
    close: async () => sessions.endAll(),
  }
}
