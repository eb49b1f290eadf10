import type { ReplyOf, RouteName, Routes } from '@faxdeck/contract'
import type { ServerContext } from '@modelcontextprotocol/server'

/** The calls that assistants may make, each with the scope of its row. */
export type ToolRoutes = Extract<
  RouteName,
  | 'quoteRequest'
  | 'requestFax'
  | 'getFaxRequest'
  | 'getFax'
  | 'listFaxes'
  | 'cancelFax'
  | 'listInbound'
  | 'getInboundPdf'
>

export interface ToolInput {
  params?: { id: string }
  query?: Readonly<Record<string, string | number | undefined>>
  form?: Readonly<Record<string, string | undefined>>
  file?: { fileName: string | null; bytes: Buffer }
  headers?: Readonly<Record<string, string>>
}

/** The answer of a call; documents as their bytes. */
export type ToolAnswer<N extends ToolRoutes> = N extends 'getInboundPdf' ? Buffer : ReplyOf<Routes[N]>

/** Makes a call of the contract with the rights of the caller. @throws {ToolRefusal} what the call is refused with */
export type ToolCalls = <N extends ToolRoutes>(
  name: N,
  input: ToolInput,
  context: ServerContext,
) => Promise<ToolAnswer<N>>

/** A refusal that the assistant gets to see: a sentence and its code. */
export class ToolRefusal extends Error {
  override name = 'ToolRefusal'
  readonly code: string
  constructor(sentence: string, code: string) {
    super(sentence)
    this.code = code
  }
}
