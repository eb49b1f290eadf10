/** What a provider can do, named for behavior. Also on the wire: the console decides by these. */
export interface Traits {
  /** Path the provider posts received faxes to. */
  webhook_path: string | null
  sample_payload: Record<string, unknown> | null
  signature_header: string | null
  inbound_verification: 'hmac' | 'basic' | 'internal_secret' | 'none'
  /** Offered first to somebody who has no provider yet. */
  recommended: boolean
  supports_inbound: boolean
  supports_oauth: boolean
  supports_cancel: boolean
  supports_status: boolean
  requires_ami: boolean
  /** Needs the rendered 1-bit pages rather than the PDF. */
  requires_pages: boolean
}

/** The traits of a provider that differ from the usual: it receives, cancels and answers for its faxes, without callbacks. */
export const traitsOf = (own: Partial<Traits>): Traits => ({
  webhook_path: null,
  sample_payload: null,
  signature_header: null,
  inbound_verification: 'none',
  recommended: false,
  supports_inbound: true,
  supports_oauth: false,
  supports_cancel: true,
  supports_status: true,
  requires_ami: false,
  requires_pages: false,
  ...own,
})
