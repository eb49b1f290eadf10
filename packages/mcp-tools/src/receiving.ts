import { type McpServer, ResourceTemplate } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { answer } from './answer.ts'
import type { ToolCalls } from './calls.ts'
import { id, looks, received, text } from './shapes.ts'

/** Received faxes, and their documents as resources. */
export function registerReceiving(server: McpServer, calls: ToolCalls): void {
  server.registerTool(
    'list_inbound',
    {
      title: 'List received faxes',
      description: 'Received faxes, newest first. Their documents are resources, fax://inbound/{id}.',
      inputSchema: z.strictObject({ limit: z.int().min(1).max(100).default(20) }),
      outputSchema: z.object({ faxes: z.array(received) }),
      annotations: looks,
    },
    (query, context) =>
      answer(async () => {
        const faxes = await calls('listInbound', { query }, context)
        return { faxes: faxes.map((fax) => received.parse(fax)) }
      }),
  )
  server.registerTool(
    'get_inbound_pdf',
    {
      title: 'Document of a received fax',
      description: 'The PDF of a received fax in base64.',
      inputSchema: z.strictObject({ id }),
      outputSchema: z.object({ id: text, content_base64: text, bytes: z.int() }),
      annotations: looks,
    },
    (given, context) =>
      answer(async () => {
        const pdf = await calls('getInboundPdf', { params: { id: given.id } }, context)
        return { id: given.id, content_base64: pdf.toString('base64'), bytes: pdf.length }
      }),
  )
  const template = new ResourceTemplate('fax://inbound/{id}', {
    list: async (context) => {
      const faxes = await calls('listInbound', { query: { limit: 100 } }, context)
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
    const pdf = await calls('getInboundPdf', { params: { id: String(variables['id']) } }, context)
    return { contents: [{ uri: uri.href, mimeType: 'application/pdf', blob: pdf.toString('base64') }] }
  })
}
