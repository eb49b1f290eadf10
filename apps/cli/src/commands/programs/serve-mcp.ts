import { once } from 'node:events'
import { CallProblem, type Client } from '@faxdeck/contract'
import {
  createMcpServer,
  type ToolAnswer,
  type ToolCalls,
  type ToolInput,
  ToolRefusal,
  type ToolRoutes,
} from '@faxdeck/mcp-tools'
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { Fault } from '../../fault.ts'
import { wholeLines } from './whole-lines.ts'

/** Base64 of the largest document, and room around it. */
const largestMessage = 70 * 1024 * 1024

type AnyCall = (input: object, options: { headers: Record<string, string> }) => Promise<unknown>

/** What the client of the contract takes. */
function inputOf({ params, query, form, file }: ToolInput): object {
  const document = file && new File([new Uint8Array(file.bytes)], file.fileName ?? 'document')
  return { params, query, ...(form ? { form: { ...form, ...(document ? { file: document } : {}) } } : {}) }
}

function refusalOf(error: unknown): unknown {
  if (error instanceof Fault) return new ToolRefusal(error.message, 'unreachable')
  if (!(error instanceof CallProblem)) return error
  return new ToolRefusal(error.answer?.detail ?? error.failure, error.answer?.code ?? 'unknown')
}

/** Tools over HTTP, with the rights of this process's key. What the gateway refuses is said in its words. */
function toolCallsOf(client: Client): ToolCalls {
  return async <N extends ToolRoutes>(name: N, given: ToolInput) => {
    try {
      const answer = await (client[name] as AnyCall)(inputOf(given), { headers: { ...given.headers } })
      return (answer instanceof Blob ? Buffer.from(await answer.arrayBuffer()) : answer) as ToolAnswer<N>
    } catch (error) {
      throw refusalOf(error)
    }
  }
}

/** Serves one assistant on standard input and output until it has gone. Standard output carries nothing else. */
export async function serveMcp(client: Client, version: string, note: (text: string) => void): Promise<void> {
  // Node 20, on which the command line runs by itself, has no `Promise.withResolvers`.
  let end: () => void = () => undefined
  const ended = new Promise<void>((resolve) => (end = resolve))
  const lines = process.stdin.pipe(wholeLines(largestMessage))
  // The transport is given lines as they are, with the beginning of what came in the same chunk.
  const transport = new StdioServerTransport(lines, process.stdout, { maxBufferSize: 2 * largestMessage })
  const makeServer = () => {
    const made = createMcpServer(toolCallsOf(client), version)
    made.server.onclose = () => end()
    return made
  }
  const served = serveStdio(makeServer, { transport, onerror: (error) => note(error.message) })
  await Promise.race([once(process.stdin, 'end'), once(process.stdin, 'close'), ended])
  await served.close()
}
