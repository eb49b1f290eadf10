import type { Traits } from '@faxdeck/provider-kit'

export const freeswitchTraits: Traits = {
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
  recommended: false,
  supports_inbound: true,
  supports_oauth: false,
  supports_cancel: true,
  supports_status: true,
  requires_ami: false,
  requires_pages: true,
}
