import type { Traits } from '@faxdeck/provider-kit'

export const trunkTraits: Traits = {
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
  requires_pages: true,
}
