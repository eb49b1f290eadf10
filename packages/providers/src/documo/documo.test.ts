import { describeProvider } from '@faxdeck/provider-kit/conformance'
import { documo } from './index.ts'

describeProvider(documo, {
  settings: {
    documo_api_key: 'k',
  },
})
