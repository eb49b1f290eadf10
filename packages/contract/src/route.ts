import type { z } from 'zod'

/** What a key may be allowed to do. */
export const scopes = ['fax:send', 'fax:read', 'inbound:list', 'inbound:read', 'keys:manage'] as const
export type Scope = (typeof scopes)[number]

/**
 * Whether a key with these scopes has another one. `keys:manage` includes every scope: it can create a key with any of
 * them, and the console needs them all.
 */
export function hasScope(granted: ReadonlySet<Scope>, needed: Scope): boolean {
  return granted.has(needed) || granted.has('keys:manage')
}

/**
 * Which per-minute allowance a call draws on; calls without one are not counted. Following and stopping faxes draws on
 * `fax_read`, so that a program that has sent all it may can still see and stop what it sent.
 */
export const rateGroups = ['fax_send', 'fax_read', 'inbound_list', 'inbound_get'] as const
export type RateGroup = (typeof rateGroups)[number]

/**
 * Which faxes a key sees: those sent with it; those, and any other whose id it knows, as keys did before there was a
 * choice; or all. A key that administers sees all.
 */
export const faxAccesses = ['own', 'by_id', 'all'] as const
export type FaxAccess = (typeof faxAccesses)[number]

/** A reply is JSON of a schema, a file of a kind, or empty. */
export type FileReply = 'pdf' | 'png' | 'csv' | 'text' | 'zip'
export type Reply = z.ZodType | FileReply | 'none'

/**
 * One call of the API, with everything that is decided about it: nothing looks at a path to decide. Registration, guards,
 * clients, reference and tests are derived from it. No answer to any call may be stored on its way.
 */
export interface RouteRow {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Path with `:name` parameters. */
  path: string
  /** The scope a key needs; null answers without a key. */
  scope: Scope | null
  /**
   * Answers callers from any address. Every other call answers only this machine and the networks that may administer,
   * so that a new call is closed unless its row opens it.
   */
  zone?: 'public'
  /** Access tokens open it as they open MCP, to which it belongs; no other call takes them. */
  takesTokens?: true
  /** What stands in the audit trail after a success: one of these at least. A call without does not appear there. */
  audits?: readonly string[]
  /** One line for the reference. */
  summary: string
  /** The sentence shown when the call fails and the server gives none. */
  failure: string
  /**
   * The words of the short error line: "Download failed: 404", "Send failed: 413", "Failed to fetch providers: 500";
   * "API Error: 500 Internal Server Error" when absent.
   */
  trouble?: string
  params?: z.ZodObject
  query?: z.ZodObject
  /** Clients may leave the whole query out. */
  queryOptional?: true
  body?: z.ZodType
  /** The text fields of a multipart body that also carries one `file`. */
  form?: z.ZodObject
  /** The form may come without its file. */
  fileOptional?: true
  reply: Reply
  /** Status of a success; 200 when absent, 204 for 'none'. */
  status?: 200 | 201 | 202 | 204
  rate?: RateGroup
  /** Its answer may be held back until something happens: whoever waits for it is not counted as a busy caller. */
  waits?: true
  /**
   * It makes a fax, so it honours an Idempotency-Key header: for a day the same request under the same key answers with
   * the first fax, another one is refused.
   */
  idempotent?: true
}

/** Declares a row without widening its types. */
export function route<const R extends RouteRow>(row: R): R {
  return row
}
