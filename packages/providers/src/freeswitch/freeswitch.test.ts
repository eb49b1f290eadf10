import { describeProvider } from '@faxdeck/provider-kit/conformance'
import { freeswitch } from './index.ts'

describeProvider(freeswitch, {
  settings: {
    freeswitch_esl_host: '127.0.0.1',
    freeswitch_esl_password: 'p',
    freeswitch_gateway_name: 'my_trunk',
  },
})
