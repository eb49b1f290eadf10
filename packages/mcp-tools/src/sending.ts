import type { McpServer } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { CoverFields } from '@faxdeck/contract'
import { answer } from './answer.ts'
import { type ToolCalls, ToolRefusal } from './calls.ts'
import {
  allow_unlikely_number,
  content_base64,
  coverShape,
  file_name,
  looks,
  quote,
  sends,
  sentState,
  stateOfRequest,
  to,
  tones,
  unreadable,
  upload_id,
} from './shapes.ts'

/** The bytes of base64. @throws {ToolRefusal} when it is something else: a path and an address are never read. */
function decode(base64: string): Buffer {
  const compact = base64.replace(/\s/g, '')
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(compact)) {
    throw new ToolRefusal(
      'content_base64 must be the document itself in base64, not a path or an address.',
      'bad_request',
    )
  }
  return Buffer.from(compact, 'base64')
}

interface Paper {
  content_base64?: string | undefined
  upload_id?: string | undefined
  file_name?: string | undefined
}

/** The document of a call as the gateway takes it. @throws {ToolRefusal} unless there is exactly one */
function paperOf({ content_base64: base64, upload_id, file_name }: Paper) {
  if ((base64 === undefined) === (upload_id === undefined)) {
    throw new ToolRefusal('Give the document as content_base64 or as upload_id, one of the two.', 'bad_request')
  }
  if (base64 === undefined) return { form: { upload_id } }
  return { form: {}, file: { fileName: file_name ?? null, bytes: decode(base64) } }
}

interface Options extends CoverFields {
  tones: string
  allow_unlikely_number: boolean
}

/** How the fax is to look, as the form of the gateway has it. */
const optionsOf = ({ tones: kind, cover, cover_to, cover_from, cover_subject, cover_note, ...given }: Options) => {
  const looks = { tones: kind, cover, cover_to, cover_from, cover_subject, cover_note }
  return given.allow_unlikely_number ? { ...looks, allow_unlikely_number: 'true' } : looks
}

function registerQuoting(server: McpServer, calls: ToolCalls): void {
  server.registerTool(
    'quote_fax',
    {
      title: 'Quote a fax',
      description:
        'Pages and predicted minutes of a document. Nothing is sent. Call this before send_fax. With the number, it also returns a quote_id for send_fax with the same document, number and options.',
      inputSchema: z.strictObject({
        to: to.optional(),
        allow_unlikely_number,
        content_base64,
        upload_id,
        file_name,
        tones,
        ...coverShape,
      }),
      outputSchema: quote,
      annotations: looks,
    },
    (given, context) =>
      answer(async () => {
        const paper = paperOf(given)
        const form = { to: given.to, ...optionsOf(given), ...paper.form }
        return quote.parse(await calls('quoteRequest', { ...paper, form }, context))
      }),
  )
}

/** Quoting and sending. */
export function registerSending(server: McpServer, calls: ToolCalls): void {
  registerQuoting(server, calls)
  server.registerTool(
    'send_fax',
    {
      title: 'Send a fax',
      description:
        'Sends a document to a number. Returns once the fax is stored, before it is delivered: follow it with get_fax_status. Where a person has to approve, the status is waiting_for_approval and nothing is sent until then. Give the same idempotency_key when you repeat a call; without one, the same fax is recognized for ten minutes. To send it again on purpose, give a new key.',
      inputSchema: z.strictObject({
        to,
        allow_unlikely_number,
        content_base64,
        upload_id,
        file_name,
        tones,
        unreadable,
        ...coverShape,
        quote_id: z
          .string()
          .max(1000)
          .optional()
          .describe('The quote_id that quote_fax returned for this exact fax, if required.'),
        idempotency_key: z
          .string()
          .min(1)
          .max(200)
          .optional()
          .describe('A repeated call with the same key returns the same fax.'),
      }),
      outputSchema: sentState,
      annotations: sends,
    },
    (given, context) =>
      answer(async () => {
        const paper = paperOf(given)
        const { idempotency_key: key } = given
        const headers: Record<string, string> = key === undefined ? {} : { 'idempotency-key': key }
        const { unreadable, quote_id } = given
        const form = { to: given.to, ...optionsOf(given), unreadable, quote_id, ...paper.form }
        const requested = await calls('requestFax', { ...paper, form, headers }, context)
        return { ...stateOfRequest(requested), repeated: requested.replayed }
      }),
  )
}
