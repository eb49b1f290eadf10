import { describeProvider } from '@faxdeck/provider-kit/conformance'
import { sinch } from './index.ts'

describeProvider(sinch, {
  settings: {
    sinch_project_id: 'p',
    sinch_api_key: 'k',
    sinch_api_secret: 's',
  },
})
