import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { faxId, instant, type RouteName } from '@faxdeck/contract'
import { type CallToolResult, McpServer, ResourceTemplate, type ServerContext } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { FileAnswer } from '../http/handler.ts'
import type { InsideCalls, Who } from '../http/inside-calls.ts'
import { Problem } from '../http/problem.ts'

/** The calls that assistants may make, each with the scope of its row. */
export type ToolRoutes = Extract<
  RouteName,
  'quoteFax' | 'submitFax' | 'getFax' | 'listJobs' | 'cancelJob' | 'listInbound' | 'getInboundPdf'
>

interface ToolParts {
  calls: InsideCalls<ToolRoutes>
  version: string
}

const content_base64 = z.string().min(1).describe('The document in base64: PDF, UTF-8 text, PNG, JPEG or TIFF.')
const file_name = z.string().max(120).optional().describe('The name that people see.')
const to = z.string().min(1).max(40).describe('The number to fax to, best in international form: +15555550123.')
const id = faxId.describe('The id of the fax, 32 hex characters.')
const text = z.string()

const quote = z.object({ pages: z.int(), seconds: z.number(), minutes: z.int(), bytes_per_page: z.array(z.int()) })
const faxState = z.object({
  id: text,
  status: text,
  error: text.nullable(),
  needs_attention: z.boolean(),
  pages: z.int().nullable(),
  pages_confirmed: z.int().nullable(),
})
const listed = z.object({
  id: text,
  to_number: text,
  status: text,
  pages: z.int().nullable(),
  error: text.nullable(),
  created_at: instant,
})
const received = z.object({
  id: text,
  fr: text.nullable(),
  to: text.nullable(),
  status: text,
  pages: z.int().nullable(),
  received_at: instant,
})

const looks = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }
const sends = { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true }
const stops = { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false }

/** Who calls a tool: the guards of the transport have put it into the request. */
export function whoOf(context: ServerContext): Who {
  const who = context.http?.authInfo?.extra?.['who']
  if (!who) throw new Problem('unauthorized')
  return who as Who
}

/** The bytes of base64. @throws {Problem} when it is something else: a path and an address are never read. */
function decode(base64: string): Buffer {
  const compact = base64.replace(/\s/g, '')
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(compact)) {
    throw new Problem('bad_request', 'content_base64 must be the document itself in base64, not a path or an address.')
  }
  return Buffer.from(compact, 'base64')
}

const said = (structuredContent: Record<string, unknown>): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(structuredContent) }],
  structuredContent,
})

/** Refusals are answers that the assistant can act on; whatever else happens is the gateway's fault. */
async function answer(work: () => Promise<Record<string, unknown>>): Promise<CallToolResult> {
  try {
    return said(await work())
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return { isError: true, content: [{ type: 'text', text: `${error.message} (${error.code})` }] }
  }
}

async function bytesOf({ content }: FileAnswer): Promise<Buffer> {
  return content instanceof Uint8Array ? Buffer.from(content) : buffer(content)
}

/** The same document to the same number is the same fax for a caller that names no key of its own, for this long. */
const sameFaxMs = 10 * 60_000

function keyFor(given: string | undefined, number: string, bytes: Buffer): string {
  if (given !== undefined) return given
  const window = Math.floor(Date.now() / sameFaxMs)
  return `mcp-${createHash('sha256').update(`${window}\0${number}\0`).update(bytes).digest('hex').slice(0, 40)}`
}

function registerSending(server: McpServer, { calls }: ToolParts): void {
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
        const { pages, seconds, minutes, bytes_per_page } = await calls('quoteFax', { file }, whoOf(context))
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
        return faxState.parse(await calls('submitFax', { form: { to: given.to }, file, headers }, whoOf(context)))
      }),
  )
}

function registerFollowing(server: McpServer, { calls }: ToolParts): void {
  server.registerTool(
    'get_fax_status',
    {
      title: 'State of a fax',
      description:
        'SUCCESS only when the provider confirmed it. needs_attention: nobody knows, a person has to decide.',
      inputSchema: z.object({ id }),
      outputSchema: faxState,
      annotations: looks,
    },
    (given, context) =>
      answer(async () => faxState.parse(await calls('getFax', { params: { id: given.id } }, whoOf(context)))),
  )
  server.registerTool(
    'list_faxes',
    {
      title: 'List faxes',
      description: 'Faxes that were sent, newest first. Needs a key that administers; numbers are masked.',
      inputSchema: z.object({
        status: z.enum(['queued', 'in_progress', 'SUCCESS', 'FAILED']).optional(),
        q: z.string().max(100).optional().describe('Last digits of a number, or words.'),
        limit: z.int().min(1).max(100).default(20),
      }),
      outputSchema: z.object({ faxes: z.array(listed), total: z.int() }),
      annotations: looks,
    },
    (query, context) =>
      answer(async () => {
        const { jobs, total } = await calls('listJobs', { query }, whoOf(context))
        return { faxes: jobs.map((job) => listed.parse(job)), total }
      }),
  )
  server.registerTool(
    'cancel_fax',
    {
      title: 'Cancel a fax',
      description: 'Stops a fax that has not been handed to the provider. Needs a key that administers.',
      inputSchema: z.object({ id }),
      outputSchema: z.object({ id: text, status: text }),
      annotations: stops,
    },
    (given, context) =>
      answer(async () => {
        const job = await calls('cancelJob', { params: { id: given.id } }, whoOf(context))
        return { id: job.id, status: job.status }
      }),
  )
}

function registerReceiving(server: McpServer, { calls }: ToolParts): void {
  server.registerTool(
    'list_inbound',
    {
      title: 'List received faxes',
      description: 'Received faxes, newest first. Their documents are resources, fax://inbound/{id}.',
      inputSchema: z.object({ limit: z.int().min(1).max(100).default(20) }),
      outputSchema: z.object({ faxes: z.array(received) }),
      annotations: looks,
    },
    (query, context) =>
      answer(async () => {
        const faxes = await calls('listInbound', { query }, whoOf(context))
        return { faxes: faxes.map((fax) => received.parse(fax)) }
      }),
  )
  server.registerTool(
    'get_inbound_pdf',
    {
      title: 'Document of a received fax',
      description: 'The PDF of a received fax in base64.',
      inputSchema: z.object({ id }),
      outputSchema: z.object({ id: text, content_base64: text, bytes: z.int() }),
      annotations: looks,
    },
    (given, context) =>
      answer(async () => {
        const pdf = await bytesOf(await calls('getInboundPdf', { params: { id: given.id } }, whoOf(context)))
        return { id: given.id, content_base64: pdf.toString('base64'), bytes: pdf.length }
      }),
  )
  const template = new ResourceTemplate('fax://inbound/{id}', {
    list: async (context) => {
      const faxes = await calls('listInbound', { query: { limit: 100 } }, whoOf(context))
      const ready = faxes.filter((fax) => fax.status === 'received')
      return {
        resources: ready.map((fax) => ({
          uri: `fax://inbound/${fax.id}`,
          name: `Fax received ${fax.received_at}`,
          mimeType: 'application/pdf',
        })),
      }
    },
  })
  const about = { title: 'Received faxes', description: 'The document of a received fax.', mimeType: 'application/pdf' }
  server.registerResource('inbound', template, about, async (uri, variables, context) => {
    const pdf = await bytesOf(await calls('getInboundPdf', { params: { id: variables['id'] } }, whoOf(context)))
    return { contents: [{ uri: uri.href, mimeType: 'application/pdf', blob: pdf.toString('base64') }] }
  })
}

/** An MCP server over the gateway's own calls: whoever uses a tool may do what their key or token allows, no more. */
export function createMcpServer(parts: ToolParts): McpServer {
  const server = new McpServer({ name: 'faxdeck', version: parts.version })
  registerSending(server, parts)
  registerFollowing(server, parts)
  registerReceiving(server, parts)
  return server
}
