import { missingOf, type Provider } from '@faxdeck/provider-kit'
import { freeswitchSettings, shippedEslPassword } from './settings.ts'
import { freeswitchTraits } from './traits.ts'

const missing = missingOf('FreeSWITCH', freeswitchSettings, [
  'freeswitch_esl_host',
  'freeswitch_esl_password',
  'freeswitch_gateway_name',
])

export const freeswitch: Provider = {
  id: 'freeswitch',
  name: 'FreeSWITCH',
  kind: 'self_hosted',
  traits: freeswitchTraits,
  settings: freeswitchSettings,
  missing,
  facts: (settings) => ({
    'fs.configured': missing(settings) === undefined,
    'fs.esl_password_is_default': settings.freeswitch_esl_password === shippedEslPassword,
  }),
  webhooks: [],
  checks: [],
  concurrency: 2,
}
