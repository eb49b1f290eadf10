import { describeProvider } from '@faxdeck/provider-kit/conformance'
import { signalwire } from './index.ts'

describeProvider(signalwire, {
  settings: {
    signalwire_space_url: 'example.signalwire.com',
    signalwire_project_id: 'p',
    signalwire_api_token: 't',
    signalwire_fax_from_e164: '+15551234567',
  },
})
