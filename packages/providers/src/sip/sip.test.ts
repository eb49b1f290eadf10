import { describeProvider } from '@faxdeck/provider-kit/conformance'
import { sip } from './index.ts'

describeProvider(sip, {
  settings: {
    ami_host: '127.0.0.1',
    ami_username: 'api',
    ami_password: 'p',
  },
})
