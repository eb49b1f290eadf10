import { type Permission, routes } from '@faxdeck/contract'
import type { ToolRoutes } from './calls.ts'

/** The call that each tool makes. */
export const toolRoutes = {
  quote_fax: 'quoteRequest',
  send_fax: 'requestFax',
  get_fax_status: 'getFax',
  list_faxes: 'listFaxes',
  cancel_fax: 'cancelFax',
  list_inbound: 'listInbound',
  get_inbound_pdf: 'getInboundPdf',
} as const satisfies Readonly<Record<string, ToolRoutes>>

const methodRoutes = { 'resources/list': 'listInbound', 'resources/read': 'getInboundPdf' } as const

function routeOf(message: unknown): ToolRoutes | undefined {
  if (typeof message !== 'object' || message === null || !('method' in message)) return undefined
  const { method, params } = message as { method: unknown; params?: { name?: unknown } }
  const [table, name]: [Readonly<Record<string, ToolRoutes>>, unknown] =
    method === 'tools/call' ? [toolRoutes, params?.name] : [methodRoutes, method]
  return typeof name === 'string' && Object.hasOwn(table, name) ? table[name] : undefined
}

/** What the messages of a body ask the permission for, one or several of JSON-RPC; what is no use of a tool needs none. */
export function permissionsOfMessages(body: unknown): Permission[] {
  const messages: unknown[] = Array.isArray(body) ? body : [body]
  const needed = messages.map(routeOf).filter((route) => route !== undefined)
  return [...new Set(needed.map((route) => routes[route].permission))]
}
