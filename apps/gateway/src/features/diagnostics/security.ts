import { type Finding, isLoopbackUrl } from '@faxdeck/provider-kit'
import { isShortKey } from '../../access/api-keys/short-key.ts'
import type { SettingsInForce } from '../../base/settings/settings.ts'
import type { TrailWatch } from '../../base/events/watch-trail.ts'
import type { Group, Probe } from '../../base/checks.ts'

const listed = new Intl.ListFormat('en', { type: 'conjunction' })

/** HTTPS is demanded of an address that the outside world uses, and the address has none. Fixed text. */
const notHttps =
  'ENFORCE_PUBLIC_HTTPS is enabled, but PUBLIC_API_URL is not HTTPS. Use an HTTPS URL or disable for non-PHI dev.'

function enforcesHttps(
  { enforce_public_https: enforced, public_api_url: url }: SettingsInForce,
  isNeeded: boolean,
): Finding {
  if (!enforced) return { passed: false }
  if (!isNeeded || url.startsWith('https://') || isLoopbackUrl(url)) return { passed: true }
  return { passed: false, detail: `${url} is in use.`, instead: { hint: notHttps, setting: 'public_api_url' } }
}

const changed = (entry: number) =>
  `The audit trail is broken at entry ${entry}: it was altered, removed or added later. Compare it with the audit file or a backup, and find out who had access to the database.`

/** Whether the audit trail is as it was written: its newest entries every time, and the rest bit by bit. */
function trailIntact(trail: Pick<TrailWatch, 'look'>): Probe {
  return {
    name: 'audit_trail_intact',
    severity: 'critical',
    hint: 'The audit trail was altered. Find out who had access to the database.',
    run: async (signal) => {
      const { entries, looked, brokenAt } = await trail.look(signal)
      const detail = `${looked} of ${entries} entries checked`
      if (brokenAt === null) return { passed: true, detail }
      return { passed: false, detail: `${detail}.`, instead: { hint: changed(brokenAt) } }
    },
  }
}

interface SecurityFacts {
  /** Variables in faxdeck.env that no key may set. */
  operatorLines: readonly string[]
  /** Whether somebody outside uses the public address. */
  isAddressNeeded: boolean
  trail: Pick<TrailWatch, 'look'>
}

const settingsFile = (operatorLines: readonly string[]): Probe => ({
  name: 'settings_file',
  severity: 'warning',
  hint: 'faxdeck.env contains lines that only an operator should write. If you did not write them, remove them and restart. Otherwise, set them in the process environment.',
  run: () =>
    operatorLines.length === 0
      ? { passed: true }
      : { passed: false, detail: `faxdeck.env sets ${listed.format(operatorLines)}.` },
})

/** Who may call, how documents travel, what is recorded. */
export function securityGroup(values: SettingsInForce, facts: SecurityFacts): Group {
  const { operatorLines, isAddressNeeded, trail } = facts
  return {
    name: 'security',
    facts: { pdf_token_ttl: values.pdf_token_ttl_minutes },
    probes: [
      {
        name: 'require_api_key',
        severity: 'warning',
        hint: 'Faxes can be sent and read on this machine without a key, which HIPAA does not allow. Require API keys.',
        setting: 'require_api_key',
        run: () => ({ passed: values.require_api_key }),
      },
      {
        name: 'bootstrap_key',
        severity: 'warning',
        hint: 'API_KEY is short enough to be guessed, and it may do everything. Set one of at least 24 characters and restart.',
        run: () => ({ passed: !isShortKey(values.api_key) }),
      },
      {
        name: 'enforce_https',
        severity: 'warning',
        hint: 'You get no warning if documents would travel over plain HTTP. Turn on Enforce HTTPS.',
        setting: 'enforce_public_https',
        run: () => enforcesHttps(values, isAddressNeeded),
      },
      {
        name: 'audit_logging',
        severity: 'warning',
        hint: 'Events are stored only in the database. Enable audit logging to also write them to a file.',
        setting: 'audit_log_enabled',
        run: () => ({ passed: values.audit_log_enabled }),
      },
      {
        name: 'rate_limiting',
        severity: 'warning',
        hint: 'API keys have no rate limit. Set one.',
        setting: 'max_requests_per_minute',
        run: () => ({ passed: values.max_requests_per_minute > 0 }),
      },
      settingsFile(operatorLines),
      trailIntact(trail),
    ],
  }
}
