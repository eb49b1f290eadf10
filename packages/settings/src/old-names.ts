import type { Environment } from './environment.ts'
import type { SettingRow } from './row.ts'

const notNeeded = 'It is not needed any more: remove it.'

/** Variables of earlier fax gateways that are no settings here, and what takes their place. */
export const oldNames: Readonly<Record<string, string>> = {
  ADMIN_UI_ALLOW_TUNNEL: 'Set ADMIN_ALLOWED_CIDRS to the addresses that may open the console.',
  AUDIT_LOG_FORMAT: 'The audit log is JSON: remove it.',
  AUDIT_LOG_SYSLOG: 'Log lines go to standard output, which the supervisor can pass on to syslog.',
  AUDIT_LOG_SYSLOG_ADDRESS: 'Log lines go to standard output, which the supervisor can pass on to syslog.',
  CALLBACK_COMPAT_200: notNeeded,
  CLEANUP_INTERVAL_MINUTES: 'Documents are cleaned up every hour: remove it.',
  CLOUDFLARE_LOG_PATH: notNeeded,
  CONFIG_MASTER_KEY: 'Faxdeck makes a key of its own; to bring one, set FAXDECK_MASTER_KEY.',
  ENABLE_LOCAL_ADMIN: 'The console answers to this machine; set ADMIN_ALLOWED_CIDRS for others.',
  ENABLE_S3_DIAGNOSTICS: 'Diagnostics check the storage anyway: remove it.',
  INBOUND_STRICT_VERIFY: 'Callbacks are always verified: remove it.',
  PERSISTED_ENV_PATH: 'Settings are read from faxdeck.env in the data directory: import that file.',
  PHAXIO_WEBHOOK_SECRET: 'Set PHAXIO_CALLBACK_TOKEN to the callback token of the Phaxio console.',
  PLUGIN_REGISTRY_PATH: 'Install manifests on the Plugins screen.',
  REDIS_URL: notNeeded,
  SIGNALWIRE_STATUS_POLL_SECONDS: 'Faxdeck polls providers automatically: remove it.',
  SINCH_INBOUND_HMAC_SECRET: 'Sinch does not sign. Set SINCH_INBOUND_BASIC_USER and SINCH_INBOUND_BASIC_PASS.',
  SINCH_INBOUND_VERIFY_SIGNATURE: 'Sinch does not sign. Set SINCH_INBOUND_BASIC_USER and SINCH_INBOUND_BASIC_PASS.',
  SINCH_WEBHOOK_SECRET: 'Sinch does not sign. Set SINCH_INBOUND_BASIC_USER and SINCH_INBOUND_BASIC_PASS.',
  TEST_FAX_NUMBER: 'A test on the Diagnostics screen asks for a number.',
  TRAITS_STRICT: notNeeded,
  WIREGUARD_CONF_PATH: 'Set up WireGuard beside the gateway.',
}

/** Beginnings of the names of our settings. FAXDECK_ also begins the variables of our clients and scripts. */
const ours =
  /^(ADMIN|ASTERISK|AUDIT_LOG|DOCUMO|FAX|FREESWITCH|HUMBLEFAX|INBOUND|MCP|OAUTH|PHAXIO|S3|SIGNALWIRE|SINCH|SIP|TUNNEL)_/

/** Variables that are set and look like settings but are not: misspelled, or of an earlier gateway. */
export function unknownVariables(rows: readonly SettingRow[], env: Environment): string[] {
  const known = new Set(rows.flatMap((row) => [row.env, ...(row.envAliases ?? [])]))
  return Object.keys(env)
    .filter((name) => env[name]?.trim() && !known.has(name) && (ours.test(name) || Object.hasOwn(oldNames, name)))
    .toSorted()
}

/** What to do about a variable that is no setting. */
export const adviceAbout = (name: string): string =>
  oldNames[name] ??
  (name.startsWith('HUMBLEFAX_')
    ? 'HumbleFax is not supported: choose another provider, or describe it in a manifest.'
    : 'It is not a setting of Faxdeck.')
