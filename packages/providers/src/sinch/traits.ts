import { traitsOf } from '@faxdeck/provider-kit/traits'

export const sinchTraits = traitsOf({
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
  supports_oauth: true,
  supports_cancel: false,
})
