import { missingOf, type Provider } from '@faxdeck/provider-kit'
import { documoSettings } from './settings.ts'
import { documoTraits } from './traits.ts'

const missing = missingOf('Documo', documoSettings, ['documo_api_key'])

export const documo: Provider = {
  id: 'documo',
  name: 'Documo (mFax)',
  kind: 'cloud',
  traits: documoTraits,
  settings: documoSettings,
  missing,
  facts: (settings) => ({ 'documo.configured': missing(settings) === undefined }),
  webhooks: [],
  checks: [],
  concurrency: 5,
}
