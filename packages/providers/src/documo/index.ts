import { missingOf, type Provider } from '@faxdeck/provider-kit'
import { documoChecks } from './checks.ts'
import { documoSettings } from './settings.ts'
import { documoTraits } from './traits.ts'

export const documo: Provider = {
  id: 'documo',
  name: 'Documo (mFax)',
  kind: 'cloud',
  traits: documoTraits,
  settings: documoSettings,
  missing: missingOf('Documo', documoSettings, ['documo_api_key']),
  webhooks: [],
  checks: documoChecks,
  concurrency: 5,
}
