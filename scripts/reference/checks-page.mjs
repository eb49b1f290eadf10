import { providers } from '../../packages/providers/src/registry.ts'

/**
 * The checks of the gateway itself: what a failed one means, and what to do. The checks of providers say it themselves.
 * A test of the diagnostics compares.
 */
const gatewayChecks = {
  can_send: 'The chosen provider cannot send in this version. Choose another outbound provider.',
  reachable:
    'The provider did not answer, refused our credentials or asked for fewer faxes at a time, so new faxes wait or go through the backup provider. Check the credentials, the status page of the provider and the internet connection of this machine. Nothing is lost.',
  no_provider_bypassed:
    'A provider is set up, but the test line carries every fax, so nothing leaves this machine. Turn the test line off to send for real.',
  account_answers:
    'The service of a plugin does not accept the credentials. Enter them again under Tools, Plugins, Configure.',
  fax_data_dir:
    'The data directory is gone: it was removed, renamed, or its disk is not mounted. Mount it, or set `FAX_DATA_DIR`, and restart. Do not begin anew before you know where the data is: see [when the data is missing](../guides/operations.md#when-the-data-is-missing).',
  fax_data_writable:
    'The data directory cannot be written. Give it to the user that Faxdeck runs as, and check that the disk is not mounted read-only.',
  disk_space:
    'The disk of the data directory is nearly full, or has no room for a fax of the largest size. Free some space, or shorten the retention of documents. A full disk refuses faxes; it loses none.',
  temp_dir_writable: 'The folder for temporary files cannot be written. Free its disk, or point `TMPDIR` elsewhere.',
  database_connected:
    'The database does not answer. Check that PostgreSQL runs and that `DATABASE_URL` is right; for SQLite, that the file is still where it was.',
  backup:
    'There is no backup, or none of late. Make one with `faxdeck backup`, and let a timer repeat it: see [Backup](../guides/operations.md#backup).',
  clock:
    'The clock of this machine is wrong or was set back, so times of faxes, links and the audit trail are wrong. Set it, and keep it set by NTP.',
  ghostscript: 'Whether Ghostscript is installed. Faxdeck does not need it.',
  accessible:
    'Documents cannot be written, read or removed at the storage location. Make it writable, and check its settings. A location that belongs to another installation is refused: see [Storage](../guides/storage.md).',
  documents_kept:
    'Documents that Faxdeck did not remove are missing from the storage. Restore them from a backup, and find out who else can write there.',
  stored_encrypted: 'Documents that were stored before encryption was turned on are still being encrypted.',
  bucket_set: 'The storage is S3, but no bucket is set. Set `S3_BUCKET`.',
  kms_enabled: 'No KMS key is set for S3. Set `S3_KMS_KEY_ID`, so that objects are encrypted with a key of yours.',
  require_api_key:
    'Faxes can be sent and read on this machine without a key. Turn on [Require API key](../guides/security.md#require-api-key).',
  bootstrap_key: '`API_KEY` is short enough to be guessed. Set one of at least 24 characters, and restart.',
  enforce_https:
    'Nothing warns when documents would travel over plain HTTP. Turn on [Enforce HTTPS](../guides/security.md#enforce-https).',
  audit_logging:
    'Events are stored in the database alone. Turn on [audit logging](../guides/security.md#audit-logging) to write them to a file as well.',
  rate_limiting: 'API keys have no rate limit. Set `MAX_REQUESTS_PER_MINUTE`.',
  settings_file:
    '`faxdeck.env` contains settings that only an operator should write. If you did not write these lines, remove them and restart; if you did, set them in the environment of the process.',
  audit_trail_intact:
    'An entry of the audit trail was changed or removed. Find out who had access to the database, and compare with a [copy](../guides/trail.md).',
  sender_named:
    'Faxes do not say who sends them. Enter the name and the fax number of the sender under Settings, Header line.',
  header_line_printable:
    'The sender on the header line has characters that the fax font cannot draw. Write the name another way, or install a font that has them.',
  oldest_age:
    'Work has been due for more than 15 minutes. Look at the jobs in progress, and allow more simultaneous faxes if the provider supports it.',
  depth: 'How many faxes are queued, in progress and waiting.',
  public_url_reachable:
    'The gateway did not reach itself at `PUBLIC_API_URL`, so a provider cannot either. Set it to an `https://` address that leads here from the internet: see [Tunnels](../guides/tunnels.md).',
  enabled: 'Receiving is off. Turn it on under Settings, Receiving.',
  can_receive: 'The inbound provider cannot receive. Choose another, or turn receiving off.',
  nothing_left_behind:
    'A provider tried to deliver faxes while receiving was off. Turn receiving on; what the provider still has is then fetched, where it can be asked.',
  none_stopped:
    'A webhook was turned off because its receiver failed for days. Fix the receiver, turn the webhook on, and [replay](../guides/webhooks.md) what it missed.',
  up_to_date:
    'A copy of the audit trail is behind. Check its receiver: see [Copying the audit trail](../guides/trail.md).',
  database_has_copied:
    'The audit trail in the database no longer matches what was copied. Compare them with `faxdeck verify-audit --copy`.',
}

/** @returns {string} what each line of the diagnostics means, in Markdown: each can be linked to */
export function checksPage() {
  const own = providers.flatMap(({ name: provider, checks }) => checks.map((check) => ({ ...check, provider })))
  const accounts = [...Map.groupBy(own, ({ name }) => name)].filter(([name]) => !Object.hasOwn(gatewayChecks, name))
  return `# Checks

Written by \`npm run reference\`. Do not edit. What each line of [Diagnostics](../guides/diagnostics.md) means when it fails, by its name in \`POST /admin/diagnostics/run\`.

## The gateway

${Object.entries(gatewayChecks)
  .map(([name, text]) => `### ${name}\n\n${text}`)
  .join('\n\n')}

## Providers

${accounts.map(([name, all]) => `### ${name}\n\n${all.map(accountLine).join('\n')}`).join('\n\n')}
`
}

const accountLine = ({ provider, hint }) => `- **${provider}:** ${hint.replaceAll('<', '&lt;')}`
