import { traitsOf } from '@faxdeck/provider-kit/traits'

export const phaxioTraits = traitsOf({
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
})
