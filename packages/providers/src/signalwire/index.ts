import { missingOf, type Provider } from '@faxdeck/provider-kit'
import { accountOf, projectUrl } from './account.ts'
import { signalwireChecks } from './checks.ts'
import { openSignalwire } from './send.ts'
import { signalwireSettings } from './settings.ts'
import { signalwireTraits } from './traits.ts'
import { signalwireWebhooks } from './webhooks.ts'

export const signalwire: Provider = {
  id: 'signalwire',
  name: 'SignalWire',
  kind: 'cloud',
  traits: signalwireTraits,
  settings: signalwireSettings,
  missing: missingOf('SignalWire', signalwireSettings, [
    'signalwire_space_url',
    'signalwire_project_id',
    'signalwire_api_token',
    'signalwire_fax_from_e164',
  ]),
  accountId: (settings) => accountOf(settings).project,
  account: (settings) => projectUrl(accountOf(settings)),
  open: openSignalwire,
  webhooks: signalwireWebhooks,
  checks: signalwireChecks,
  concurrency: 100,
}
