import { missingOf, type Provider } from '@faxdeck/provider-kit'
import { trunkChecks } from './checks.ts'
import { channelsOf, planOf } from './plan.ts'
import { findAsterisk } from './process/program.ts'
import { openTrunkLine } from './send.ts'
import { trunkSettings } from './settings.ts'
import { trunkTraits } from './traits.ts'

const name = 'My own SIP trunk'
const missingSettings = {
  register: missingOf(name, trunkSettings, ['trunk_host', 'trunk_user', 'trunk_password']),
  // Nothing but its numbers says who calls by such a trunk.
  ip: missingOf(name, trunkSettings, ['trunk_host', 'trunk_numbers']),
}

export const trunk: Provider = {
  id: 'trunk',
  name,
  kind: 'managed',
  traits: trunkTraits,
  settings: trunkSettings,
  missing: (settings) => {
    const lacking = missingSettings[settings.trunk_sign_in === 'ip' ? 'ip' : 'register'](settings)
    if (lacking !== undefined) return lacking
    const named = typeof settings.trunk_asterisk === 'string' ? settings.trunk_asterisk : null
    const program = findAsterisk(named, { srtp: settings.trunk_srtp === true })
    return typeof program === 'string' ? program : undefined
  },
  pageSender: (settings) => ({ sender: null, station: planOf(settings).trunks[0]?.numbers[0]?.number ?? null }),
  open: openTrunkLine,
  webhooks: [],
  checks: trunkChecks,
  concurrency: 2,
  channels: (settings) => channelsOf(planOf(settings)),
}
