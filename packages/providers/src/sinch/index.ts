import { missingOf, type Provider } from '@faxdeck/provider-kit'
import { sinchChecks } from './checks.ts'
import { openSinch } from './send.ts'
import { sinchSettings } from './settings.ts'
import { sinchTraits } from './traits.ts'
import { sinchWebhooks } from './webhooks.ts'

export const sinch: Provider = {
  id: 'sinch',
  name: 'Sinch',
  kind: 'cloud',
  traits: sinchTraits,
  settings: sinchSettings,
  missing: missingOf('Sinch', sinchSettings, ['sinch_project_id', 'sinch_api_key', 'sinch_api_secret']),
  accountId: ({ sinch_project_id }) => String(sinch_project_id ?? ''),
  account: ({ sinch_base_url, sinch_project_id }) => JSON.stringify([sinch_base_url, sinch_project_id]),
  open: openSinch,
  webhooks: sinchWebhooks,
  checks: sinchChecks,
  concurrency: 10,
}
