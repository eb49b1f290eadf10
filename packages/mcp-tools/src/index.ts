import { McpServer } from '@modelcontextprotocol/server'
import type { ToolCalls } from './calls.ts'
import { registerFollowing } from './following.ts'
import { registerReceiving } from './receiving.ts'
import { registerSending } from './sending.ts'

export { type ToolAnswer, type ToolCalls, type ToolInput, ToolRefusal, type ToolRoutes } from './calls.ts'

/** An MCP server over the calls of a gateway: a caller may do what those calls allow them, no more. */
export function createMcpServer(calls: ToolCalls, version: string): McpServer {
  const server = new McpServer({ name: 'faxdeck', version })
  registerSending(server, calls)
  registerFollowing(server, calls)
  registerReceiving(server, calls)
  return server
}
