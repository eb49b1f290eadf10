import { missingOf, type Provider } from '@faxdeck/provider-kit'
import { phaxioChecks } from './checks.ts'
import { openPhaxio } from './send.ts'
import { phaxioSettings } from './settings.ts'
import { phaxioTraits } from './traits.ts'
import { phaxioWebhooks } from './webhooks.ts'

export const phaxio: Provider = {
  id: 'phaxio',
  name: 'Phaxio',
  kind: 'cloud',
  traits: phaxioTraits,
  settings: phaxioSettings,
  missing: missingOf('Phaxio', phaxioSettings, ['phaxio_api_key', 'phaxio_api_secret']),
  account: ({ phaxio_base_url, phaxio_api_key }) => JSON.stringify([phaxio_base_url, phaxio_api_key]),
  open: openPhaxio,
  webhooks: phaxioWebhooks,
  checks: phaxioChecks,
  concurrency: 10,
}
