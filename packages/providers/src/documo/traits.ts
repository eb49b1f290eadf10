import { traitsOf } from '@faxdeck/provider-kit/traits'

export const documoTraits = traitsOf({
  webhook_path: '/documo-callback',
  sample_payload: {
    messageId: '44444444-4444-4444-8444-444444444444',
    status: 'success',
    direction: 'outbound',
    faxNumber: '+15557654321',
    pagesCount: 1,
    pagesComplete: 1,
    resultCode: '0',
    resultInfo: 'OK',
  },
  signature_header: 'Authorization',
  inbound_verification: 'basic',
  supports_cancel: false,
})
