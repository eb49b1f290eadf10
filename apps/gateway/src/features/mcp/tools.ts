import { buffer } from 'node:stream/consumers'
import { createMcpServer, type ToolAnswer, type ToolCalls, ToolRefusal, type ToolRoutes } from '@faxdeck/mcp-tools'
import type { McpServer, ServerContext } from '@modelcontextprotocol/server'
import type { FileAnswer } from '../../base/http/handler.ts'
import type { InsideCalls, Who } from '../../base/http/inside-calls.ts'
import { Problem } from '../../base/http/answers/problem.ts'

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
