import { describeProvider } from '@faxdeck/provider-kit/conformance'
import { phaxio } from './index.ts'

describeProvider(phaxio, {
  settings: {
    phaxio_api_key: 'k',
    phaxio_api_secret: 's',
  },
})
