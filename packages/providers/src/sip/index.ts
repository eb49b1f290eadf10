import { missingOf, type Provider } from '@faxdeck/provider-kit'
import { sipChecks } from './checks.ts'
import { openSipLine } from './send.ts'
import { sipSettings } from './settings.ts'
import { sipSnippets } from './snippets.ts'
import { sipTraits } from './traits.ts'
import { sipWebhooks } from './webhooks.ts'

export const sip: Provider = {
  id: 'sip',
  name: 'Asterisk (SIP)',
  kind: 'self_hosted',
  traits: sipTraits,
  settings: sipSettings,
  missing: missingOf('Asterisk (SIP)', sipSettings, ['ami_host', 'ami_username', 'ami_password']),
  pageSender: ({ fax_station_id: station }) => ({
    sender: null,
    station: typeof station === 'string' ? station : null,
  }),
  open: openSipLine,
  webhooks: sipWebhooks,
  checks: sipChecks,
  snippets: sipSnippets,
  concurrency: 2,
}
