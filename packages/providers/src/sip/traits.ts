import { traitsOf } from '@faxdeck/provider-kit/traits'

export const sipTraits = traitsOf({
  webhook_path: '/_internal/asterisk/inbound',
  sample_payload: {
    tiff_path: 'lines/sip/inbox/1767351600.42_+15557654321_+15551234567.tif',
    to_number: '+15557654321',
    from_number: '+15551234567',
    faxstatus: 'SUCCESS',
    faxpages: 1,
    uniqueid: '1767351600.42',
  },
  signature_header: 'X-Internal-Secret',
  inbound_verification: 'internal_secret',
  requires_ami: true,
  requires_pages: true,
})
