import type { CallToolResult } from '@modelcontextprotocol/server'
import { ToolRefusal } from './calls.ts'

const said = (structuredContent: Record<string, unknown>): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(structuredContent) }],
  structuredContent,
})

/** Refusals are answers that the assistant can act on; whatever else happens is a fault of ours. */
export async function answer(work: () => Promise<Record<string, unknown>>): Promise<CallToolResult> {
  try {
    return said(await work())
  } catch (error) {
    if (!(error instanceof ToolRefusal)) throw error
    return { isError: true, content: [{ type: 'text', text: `${error.message} (${error.code})` }] }
  }
}
