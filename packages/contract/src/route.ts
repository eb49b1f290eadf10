import type { z } from 'zod'
import type { Permission } from './permissions.ts'

/**
 * Which per-minute allowance a call draws on; calls without one are not counted. Following and stopping faxes draws on
 * `fax_read`, so that a program that has sent all it may can still see and stop what it sent.
 */
export type RateGroup = 'fax_send' | 'fax_read' | 'inbound_list' | 'inbound_get'

/** A reply is JSON of a schema, a file of a kind, or empty. A `document` is a PDF, TIFF or text, as the caller asks. */
export type FileReply = 'pdf' | 'png' | 'csv' | 'text' | 'zip' | 'document'
export type Reply = z.ZodType | FileReply | 'none'

/**
 * One call of the API, with everything that is decided about it: nothing looks at a path to decide. Registration, guards,
 * clients, reference and tests are derived from it. No answer to any call may be stored on its way.
 */
export interface RouteRow {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Path with `:name` parameters. */
  path: string
  /** What its caller must be allowed; null answers anybody. */
  permission: Permission | null
  /**
   * Answers callers from any address. Every other call answers only this machine and the networks that may administer,
   * so that a new call is closed unless its row opens it. One that is `granted` answers keys that were made for it from any
   * address, and whoever administers as every other call.
   */
  zone?: 'public' | 'granted'
  /** Access tokens open it as they open MCP, to which it belongs; no other call takes them. */
  takesTokens?: true
  /**
   * A person must have signed in, or confirmed who they are, within the last ten minutes: it lets somebody in, hands out a
   * secret, sends faxes elsewhere or ends a protection. Keys and tokens are not asked; they are no browser left open.
   */
  confirm?: true
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
  shortError?: string
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
  /** Its answer may be held back until something happens. */
  waits?: true
  /**
   * It makes a fax, so it honors an Idempotency-Key header: for a day the same request under the same key answers with
   * the first fax, another one is refused.
   */
  idempotent?: true
}

type Method = RouteRow['method']
type Rest = Omit<RouteRow, 'method' | 'path' | 'permission'>

const rowsOf =
  <const M extends Method>(method: M) =>
  /**
   * Declares a call of this method.
   * @param permission what its caller must be allowed; null answers anybody
   */
  <const P extends string, const A extends Permission | null, const R extends Rest>(
    path: P,
    permission: A,
    row: R,
  ) => ({
    method,
    path,
    permission,
    ...row,
  })

export const get = rowsOf('GET')
export const post = rowsOf('POST')
export const put = rowsOf('PUT')
export const del = rowsOf('DELETE')
