import { missingOf, type Provider } from '@faxdeck/provider-kit'
import { shippedAmiPassword, sipSettings } from './settings.ts'
import { sipTraits } from './traits.ts'

const missing = missingOf('Asterisk (SIP)', sipSettings, ['ami_host', 'ami_username', 'ami_password'])

export const sip: Provider = {
  id: 'sip',
  name: 'Asterisk (SIP)',
  kind: 'self_hosted',
  traits: sipTraits,
  settings: sipSettings,
  missing,
  facts: (settings) => ({
    'sip.configured': missing(settings) === undefined,
    'sip.ami_password_is_default': settings.ami_password === shippedAmiPassword,
  }),
  webhooks: [],
  checks: [],
  concurrency: 2,
}
