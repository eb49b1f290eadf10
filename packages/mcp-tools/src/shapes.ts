import { faxId, instant } from '@faxdeck/contract'
import { z } from 'zod'

export const content_base64 = z.string().min(1).describe('The document in base64: PDF, UTF-8 text, PNG, JPEG or TIFF.')
export const file_name = z.string().max(120).optional().describe('The name that people see.')
export const to = z.string().min(1).max(40).describe('The number to fax to, best in international form: +15555550123.')
export const id = faxId.describe('The id of the fax, 32 hex characters.')
export const text = z.string()

export const quote = z.object({
  pages: z.int(),
  seconds: z.number(),
  minutes: z.int(),
  bytes_per_page: z.array(z.int()),
})
export const faxState = z.object({
  id: text,
  status: text,
  error: text.nullable(),
  needs_attention: z.boolean(),
  pages: z.int().nullable(),
  pages_confirmed: z.int().nullable(),
})
export const listed = z.object({
  id: text,
  to_number: text,
  status: text,
  pages: z.int().nullable(),
  error: text.nullable(),
  created_at: instant,
})
export const received = z.object({
  id: text,
  fr: text.nullable(),
  to: text.nullable(),
  status: text,
  pages: z.int().nullable(),
  received_at: instant,
})

export const looks = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }
export const sends = { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true }
export const stops = { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false }
