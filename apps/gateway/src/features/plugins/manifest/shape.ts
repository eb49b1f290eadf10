import { givenName } from '@faxdeck/contract'
import { z } from 'zod'
import type { JsonTemplate } from './template.ts'

const text = z.string().max(20_000)
const short = text.trim().min(1).max(200)
/** A field name that may be part of a setting's name. */
const word = z.string().regex(/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/, 'Names are lower-case words joined by underscores.')
/** RFC 9110, 5.1. */
export const headerName = /^[!#$%&'*+.^_`|~0-9a-z-]+$/i
const jsonTemplate: z.ZodType<JsonTemplate> = z.json()

const response = z.strictObject({
  /**
   * Where in the answer the provider's id of the fax stands: words joined by dots, with [0] for places of a list. Where the
   * answer to get_status has one there, it must be that of the fax.
   */
  job_id: short.default('id'),
  status: short.default('status'),
  /** Where it repeats the number that the fax goes to, and {{fax_id}}: an answer about another fax is recognized by them. */
  to: short.optional(),
  reference: short.optional(),
  /** The provider's own sentence about a refusal or failure. */
  error: short.optional(),
  /** Pages the far end confirmed. */
  pages: short.optional(),
  status_map: z.record(short, short).default({}),
})

const body = z.strictObject({
  kind: z.enum(['json', 'form', 'multipart', 'none']).default('none'),
  template: z.union([text, z.array(jsonTemplate), z.record(z.string(), jsonTemplate)]).default(''),
})

const action = z.strictObject({
  method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']).default('POST'),
  url: text.min(1).max(2000),
  headers: z.record(short, text.max(2000)).default({}),
  body: body.default({ kind: 'none', template: '' }),
  /** Single braces in the address, and where their value comes from. */
  path_params: z
    .array(z.strictObject({ name: short, source: short }))
    .max(20)
    .default([]),
  response: response.prefault({}),
})
export type ActionShape = z.output<typeof action>

/** A manifest as somebody writes it. */
export const manifestShape = z.strictObject({
  id: z
    .string()
    .regex(
      /^(?=.{2,40}$)[a-z0-9]+(-[a-z0-9]+)*$/,
      'An id has 2 to 40 of a-z, 0-9 and single hyphens in between, such as acme-fax.',
    ),
  name: givenName(200).optional(),
  version: short.default('1.0.0'),
  description: text.max(1000).default(''),
  auth: z
    .strictObject({
      scheme: z.enum(['none', 'basic', 'bearer', 'api_key_header', 'api_key_query']).default('none'),
      header_name: short.regex(headerName, 'This is not a header name.').default('X-API-Key'),
      query_name: short.default('api_key'),
    })
    .prefault({}),
  allowed_domains: z.array(short).min(1, 'Name at least one host: an empty list allows none.').max(20),
  timeout_ms: z.int().min(1000).max(60_000).default(15_000),
  /** What {{settings.…}} in the templates means. */
  settings: z
    .record(
      word,
      z.strictObject({ label: givenName(200).optional(), help: short.optional(), default: text.optional() }),
    )
    .default({}),
  actions: z.strictObject({
    send_fax: action,
    get_status: action.optional(),
    cancel_fax: action.optional(),
  }),
  // Written for other gateways. What a plugin can do is derived from its actions.
  kind: z.unknown().optional(),
  traits: z.unknown().optional(),
})
export type ManifestShape = z.output<typeof manifestShape>
