import { traitsOf } from '@faxdeck/provider-kit/traits'

export const freeswitchTraits = traitsOf({
  webhook_path: '/_internal/freeswitch/outbound_result',
  sample_payload: {
    job_id: '66666666666646668666666666666666',
    fax_status: 'SUCCESS',
    fax_result_text: 'OK',
    fax_document_transferred_pages: 1,
    uuid: '66666666-6666-4666-8666-666666666666',
  },
  signature_header: 'X-Internal-Secret',
  inbound_verification: 'internal_secret',
  requires_pages: true,
})
