import type { Traits } from '@faxdeck/provider-kit'

export const sinchTraits: Traits = {
  webhook_path: '/sinch-inbound',
  sample_payload: {
    event: 'INCOMING_FAX',
    eventTime: '2026-01-02T11:00:00Z',
    fax: {
      id: '01JEXAMPLE000000000000002',
      direction: 'INBOUND',
      from: '+15551234567',
      to: '+15557654321',
      status: 'COMPLETED',
      numberOfPages: 1,
      createTime: '2026-01-02T10:59:00Z',
      completedTime: '2026-01-02T11:00:00Z',
      hasFile: true,
    },
  },
  signature_header: 'Authorization',
  inbound_verification: 'basic',
  recommended: false,
  supports_inbound: true,
  supports_oauth: true,
  supports_cancel: false,
  supports_status: true,
  requires_ami: false,
  requires_pages: false,
}
