/**
 * What the head of a request says of its sender, before the body is read. `proved`: it comes from the provider. `pending`:
 * it brings the proof that the body is needed for. `none`: nothing in its body could prove it any more.
 */
export type HeadProof = 'proved' | 'pending' | 'none'

/** A foreign request of which only the head has been read. */
export type WebhookHead = Pick<WebhookRequest, 'method' | 'url' | 'headers' | 'query'>

/** A foreign request as it arrived. */
export interface WebhookRequest {
  method: string
  /** The URL as registered with the provider, with query. */
  url: string
  /** By name in lower case. */
  headers: Record<string, string | undefined>
  query: Record<string, string | undefined>
  /** The bytes as sent; empty when files of a form went to disk while they arrived. */
  body: Uint8Array
  /** Multipart or form fields, in order of arrival, decoded. */
  fields: readonly (readonly [name: string, value: string])[]
  files: readonly WebhookFile[]
}

/** One file of a form. */
export interface WebhookFile {
  name: string
  fileName: string
  contentType: string
  /** The content, which may be read from disk when it is asked for: a proof uses `sha1` where that is known. */
  readonly bytes: Uint8Array
  /** Hex SHA-1 of the content, when it was hashed while it arrived. */
  sha1?: string
}
