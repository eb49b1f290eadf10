import { createHash } from 'node:crypto'
import type { McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { answer } from './answer.ts'
import { type ToolCalls, ToolRefusal } from './calls.ts'
import { content_base64, faxState, file_name, looks, quote, sends, to } from './shapes.ts'

/** The bytes of base64. @throws {ToolRefusal} when it is something else: a path and an address are never read. */
export function decode(base64: string): Buffer {
  const compact = base64.replace(/\s/g, '')
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(compact)) {
    throw new ToolRefusal(
      'content_base64 must be the document itself in base64, not a path or an address.',
      'bad_request',
    )
  }
  return Buffer.from(compact, 'base64')
}

/** The same document to the same number is the same fax for a caller that names no key of its own, for this long. */
const sameFaxMs = 10 * 60_000

function keyFor(given: string | undefined, number: string, bytes: Buffer): string {
  if (given !== undefined) return given
  const window = Math.floor(Date.now() / sameFaxMs)
  return `mcp-${createHash('sha256').update(`${window}\0${number}\0`).update(bytes).digest('hex').slice(0, 40)}`
}

/** Quoting and sending. */
export function registerSending(server: McpServer, calls: ToolCalls): void {
  server.registerTool(
    'quote_fax',
    {
      title: 'Quote a fax',
      description: 'Pages and predicted minutes of a document. Nothing is sent. Ask for this before send_fax.',
      inputSchema: z.object({ content_base64, file_name }),
      outputSchema: quote,
      annotations: looks,
    },
    (given, context) =>
      answer(async () => {
        const file = { fileName: given.file_name ?? null, bytes: decode(given.content_base64) }
        const { pages, seconds, minutes, bytes_per_page } = await calls('quoteFax', { file }, context)
        return { pages, seconds, minutes, bytes_per_page }
      }),
  )
  server.registerTool(
    'send_fax',
    {
      title: 'Send a fax',
      description:
        'Sends a document to a number. The answer comes when the fax is safely accepted, before it is delivered: follow it with get_fax_status. Give the same idempotency_key when you repeat a call.',
      inputSchema: z.object({
        to,
        content_base64,
        file_name,
        idempotency_key: z.string().min(1).max(200).optional().describe('Makes a repeat the same fax.'),
      }),
      outputSchema: faxState,
      annotations: sends,
    },
    (given, context) =>
      answer(async () => {
        const bytes = decode(given.content_base64)
        const file = { fileName: given.file_name ?? null, bytes }
        const headers = { 'idempotency-key': keyFor(given.idempotency_key, given.to, bytes) }
        return faxState.parse(await calls('submitFax', { form: { to: given.to }, file, headers }, context))
      }),
  )
}
