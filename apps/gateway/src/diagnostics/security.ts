import type { SettingsInForce } from '../settings/settings.ts'
import type { Group } from './probe.ts'

/** Who may call, how documents travel, what is recorded. */
export function securityGroup(values: SettingsInForce): Group {
  return {
    name: 'security',
    facts: { pdf_token_ttl: values.pdf_token_ttl_minutes },
    probes: [
      {
        name: 'require_api_key',
        severity: 'warning',
        hint: 'Faxes can be sent and read on this machine without a key, which HIPAA forbids: require API keys.',
        setting: 'require_api_key',
        run: () => ({ passed: values.require_api_key }),
      },
      {
        name: 'enforce_https',
        severity: 'warning',
        hint: 'Nothing warns when documents would travel over plain HTTP: enforce HTTPS.',
        setting: 'enforce_public_https',
        run: () => ({ passed: values.enforce_public_https }),
      },
      {
        name: 'audit_logging',
        severity: 'warning',
        hint: 'Events are kept in the database alone: enable audit logging to write them to a file as well.',
        setting: 'audit_log_enabled',
        run: () => ({ passed: values.audit_log_enabled }),
      },
      {
        name: 'rate_limiting',
        severity: 'warning',
        hint: 'A key may call as often as it likes: set the request rate limit.',
        setting: 'max_requests_per_minute',
        run: () => ({ passed: values.max_requests_per_minute > 0 }),
      },
    ],
  }
}
