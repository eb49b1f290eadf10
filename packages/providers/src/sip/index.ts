import { missingOf, type Provider } from '@faxdeck/provider-kit'
import { sipChecks } from './checks.ts'
import { sipSettings } from './settings.ts'
import { sipTraits } from './traits.ts'

export const sip: Provider = {
  id: 'sip',
  name: 'Asterisk (SIP)',
  kind: 'self_hosted',
  traits: sipTraits,
  settings: sipSettings,
  missing: missingOf('Asterisk (SIP)', sipSettings, ['ami_host', 'ami_username', 'ami_password']),
  webhooks: [],
  checks: sipChecks,
  concurrency: 2,
}
