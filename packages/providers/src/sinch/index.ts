import { missingOf, type Provider } from '@faxdeck/provider-kit'
import { sinchSettings } from './settings.ts'
import { sinchTraits } from './traits.ts'

const missing = missingOf('Sinch', sinchSettings, ['sinch_project_id', 'sinch_api_key', 'sinch_api_secret'])

export const sinch: Provider = {
  id: 'sinch',
  name: 'Sinch',
  kind: 'cloud',
  traits: sinchTraits,
  settings: sinchSettings,
  missing,
  facts: (settings) => ({
    'sinch.configured': missing(settings) === undefined,
    'inbound.sinch.basic_auth_configured': Boolean(
      settings.sinch_inbound_basic_user && settings.sinch_inbound_basic_pass,
    ),
  }),
  webhooks: [],
  checks: [],
  concurrency: 10,
}
