import { missingOf, type Provider } from '@faxdeck/provider-kit'
import type { SettingValue } from '@faxdeck/settings'
import { freeswitchChecks } from './checks.ts'
import { openFreeswitchLine } from './send.ts'
import { freeswitchSettings } from './settings.ts'
import { freeswitchSnippets } from './snippets.ts'
import { freeswitchTraits } from './traits.ts'
import { freeswitchWebhooks } from './webhooks.ts'

const wordOf = (value: SettingValue | undefined) => (typeof value === 'string' ? value : null)

export const freeswitch: Provider = {
  id: 'freeswitch',
  name: 'FreeSWITCH',
  kind: 'self_hosted',
  traits: freeswitchTraits,
  settings: freeswitchSettings,
  missing: missingOf('FreeSWITCH', freeswitchSettings, [
    'freeswitch_esl_host',
    'freeswitch_esl_password',
    'freeswitch_gateway_name',
  ]),
  pageSender: (settings) => ({
    sender: wordOf(settings.freeswitch_fax_header),
    station: wordOf(settings.freeswitch_caller_id_number),
  }),
  open: openFreeswitchLine,
  webhooks: freeswitchWebhooks,
  checks: freeswitchChecks,
  snippets: freeswitchSnippets,
  concurrency: 2,
}
