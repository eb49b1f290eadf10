import { missingOf, type Provider } from '@faxdeck/provider-kit'
import { accountOf } from './account.ts'
import { documoChecks } from './checks.ts'
import { openDocumo } from './send.ts'
import { documoSettings } from './settings.ts'
import { documoTraits } from './traits.ts'
import { documoWebhooks } from './webhooks.ts'

export const documo: Provider = {
  id: 'documo',
  name: 'Documo (mFax)',
  kind: 'cloud',
  traits: documoTraits,
  settings: documoSettings,
  missing: missingOf('Documo', documoSettings, ['documo_api_key']),
  account: (settings) => JSON.stringify([accountOf(settings).origin, settings.documo_api_key]),
  isTestAccount: ({ documo_use_sandbox }) => documo_use_sandbox === true,
  open: openDocumo,
  webhooks: documoWebhooks,
  checks: documoChecks,
  concurrency: 50,
}
