import type { Traits } from '@faxdeck/provider-kit'

export const phaxioTraits: Traits = {
  webhook_path: '/phaxio-inbound',
  sample_payload: {
    event_type: 'fax_completed',
    direction: 'received',
    is_test: 'true',
    success: 'true',
    fax: '{"id":900002,"direction":"received","num_pages":1,"status":"success","is_test":true,"created_at":"2026-01-02T10:00:00.000-05:00","completed_at":"2026-01-02T10:01:09.000-05:00","from_number":"+15551234567","to_number":"+15557654321"}',
  },
  signature_header: 'X-Phaxio-Signature',
  inbound_verification: 'hmac',
  recommended: true,
  supports_inbound: true,
  supports_oauth: false,
  supports_cancel: true,
  supports_status: true,
  requires_ami: false,
  requires_pages: false,
}
