import { traitsOf } from '@faxdeck/provider-kit/traits'

export const signalwireTraits = traitsOf({
  webhook_path: '/signalwire-callback',
  sample_payload: {
    FaxSid: '33333333-3333-4333-8333-333333333333',
    AccountSid: '11111111-1111-4111-8111-111111111111',
    ApiVersion: 'v1',
    From: '+15551234567',
    To: '+15557654321',
    FaxStatus: 'delivered',
    NumPages: '1',
  },
  signature_header: 'X-SignalWire-Signature',
  inbound_verification: 'hmac',
})
