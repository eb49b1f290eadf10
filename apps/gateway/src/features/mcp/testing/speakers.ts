import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { SSEClientTransport as SseV1 } from '@modelcontextprotocol/sdk/client/sse.js'
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { startGateway, type TestGateway } from '../../../testing/start-gateway.ts'

const both = { ENABLE_MCP_HTTP: 'true', ENABLE_MCP_SSE: 'true' }
export const letter = Buffer.from('A letter by an assistant.').toString('base64')

/** A gateway on a real port, as clients need one. */
export async function listen(
  env: Record<string, string> = {},
  options: { now?: () => Date } = {},
): Promise<TestGateway & { url: string }> {
  const gateway = await startGateway({ ...options, env: { ...both, ...env } })
  await gateway.app.listen({ host: '127.0.0.1', port: 0 })
  const address = gateway.app.server.address()
  return { ...gateway, url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}` }
}

export interface Speaker {
  callTool: (call: { name: string; arguments: Record<string, unknown> }) => Promise<unknown>
  close: () => Promise<void>
}
export interface Said {
  isError?: boolean
  structuredContent?: Record<string, unknown>
  content: { type: string; text: string }[]
}

/** Uses a tool, and answers what it said. */
export const use = async (speaker: Speaker, name: string, args: Record<string, unknown>) =>
  (await speaker.callTool({ name, arguments: args })) as Said

export const me = { name: 'test', version: '1' }
/** The official clients of both versions, over each transport. */
export const manners = {
  'the v2 client over HTTP': async (url: string, headers: Record<string, string>) => {
    const client = new Client(me)
    await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp/http`), { requestInit: { headers } }))
    return client
  },
  'the v1 client over HTTP': async (url: string, headers: Record<string, string>) => {
    const client = new ClientV1(me)
    await client.connect(new HttpV1(new URL(`${url}/mcp/http`), { requestInit: { headers } }))
    return client
  },
  'the v1 client over SSE': async (url: string, headers: Record<string, string>) => {
    const client = new ClientV1(me)
    const eventSourceInit = { fetch: (input: string | URL | Request) => fetch(input, { headers }) }
    await client.connect(new SseV1(new URL(`${url}/mcp/sse`), { requestInit: { headers }, eventSourceInit }))
    return client
  },
}
