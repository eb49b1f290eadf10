import { maskNumber } from '@faxdeck/contract'
import type { McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { answer } from './answer.ts'
import type { ToolCalls } from './calls.ts'
import { faxState, id, idOrRequest, listed, looks, stateOfFax, stateOfRequest, stops, text } from './shapes.ts'

function registerStatus(server: McpServer, calls: ToolCalls): void {
  server.registerTool(
    'get_fax_status',
    {
      title: 'State of a fax',
      description:
        'SUCCESS only when the provider confirmed it. needs_attention: it is unknown whether the fax arrived, and a person has to decide. waiting_for_approval, refused and expired: nothing was sent.',
      inputSchema: z.strictObject({ id: idOrRequest }),
      outputSchema: faxState,
      annotations: looks,
    },
    (given, context) =>
      answer(async () => {
        const params = { id: given.id }
        if (given.id.startsWith('apr_')) return stateOfRequest(await calls('getFaxRequest', { params }, context))
        return stateOfFax(await calls('getFax', { params }, context))
      }),
  )
}

/** The state of faxes, and stopping them. */
export function registerFollowing(server: McpServer, calls: ToolCalls): void {
  registerStatus(server, calls)
  server.registerTool(
    'list_faxes',
    {
      title: 'List faxes',
      description: 'Sent faxes that the key sees, newest first; numbers are masked. next_cursor continues the list.',
      inputSchema: z.strictObject({
        status: z.enum(['queued', 'in_progress', 'SUCCESS', 'FAILED']).optional(),
        q: z.string().max(100).optional().describe('Last digits of a number, or words.'),
        reference: z.string().max(200).optional().describe('The sender’s own reference of the fax.'),
        limit: z.int().min(1).max(100).default(20),
        cursor: text.max(120).optional(),
      }),
      outputSchema: z.object({ faxes: z.array(listed), next_cursor: text.nullable() }),
      annotations: looks,
    },
    (query, context) =>
      answer(async () => {
        const { faxes, next_cursor } = await calls('listFaxes', { query }, context)
        return { faxes: faxes.map((fax) => listed.parse({ ...fax, to_number: maskNumber(fax.to) })), next_cursor }
      }),
  )
  server.registerTool(
    'cancel_fax',
    {
      title: 'Cancel a fax',
      description: 'Stops a fax that the key sees and that has not been submitted to the provider.',
      inputSchema: z.strictObject({ id }),
      outputSchema: z.object({ id: text, status: text }),
      annotations: stops,
    },
    (given, context) =>
      answer(async () => {
        const fax = await calls('cancelFax', { params: { id: given.id } }, context)
        return { id: fax.id, status: fax.status }
      }),
  )
}
