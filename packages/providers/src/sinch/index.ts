import { missingOf, type Provider } from '@faxdeck/provider-kit'
import { sinchChecks } from './checks.ts'
import { sinchSettings } from './settings.ts'
import { sinchTraits } from './traits.ts'

export const sinch: Provider = {
  id: 'sinch',
  name: 'Sinch',
  kind: 'cloud',
  traits: sinchTraits,
  settings: sinchSettings,
  missing: missingOf('Sinch', sinchSettings, ['sinch_project_id', 'sinch_api_key', 'sinch_api_secret']),
  webhooks: [],
  checks: sinchChecks,
  concurrency: 10,
}
