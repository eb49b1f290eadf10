import { missingOf, type Provider } from '@faxdeck/provider-kit'
import { phaxioSettings } from './settings.ts'
import { phaxioTraits } from './traits.ts'

const missing = missingOf('Phaxio', phaxioSettings, ['phaxio_api_key', 'phaxio_api_secret'])

export const phaxio: Provider = {
  id: 'phaxio',
  name: 'Phaxio',
  kind: 'cloud',
  traits: phaxioTraits,
  settings: phaxioSettings,
  missing,
  facts: (settings) => ({ 'phaxio.configured': missing(settings) === undefined }),
  webhooks: [],
  checks: [],
  concurrency: 10,
}
