import { settingRows } from '../row.ts'

const lineRows = settingRows({ group: 'advanced', at: 'backend' }, [
  {
    type: 'switch',
    key: 'fax_disabled',
    at: 'backend.disabled',
    group: 'backend',
    label: 'Test line',
    help: 'Every fax goes to the built-in test line; nothing leaves this machine.',
    default: false,
  },
  {
    type: 'number',
    key: 'lane_concurrency',
    label: 'Simultaneous faxes',
    help: 'Faxes sent to a provider at the same time. Leave blank to use the provider’s limit.',
    min: 1,
    max: 200,
  },
  {
    type: 'number',
    key: 'reconcile_minutes',
    label: 'Sync with provider every (minutes)',
    help: 'Finds faxes that Faxdeck missed. Enter 0 to turn this off.',
    default: 15,
    min: 0,
    max: 1440,
  },
])

const backupProvider = {
  key: 'failover_backend',
  opensAccess: true,
  env: 'FAX_FAILOVER_BACKEND',
  label: 'Backup provider',
  help: 'Used while the outbound provider is unreachable, for faxes it has not accepted yet. Leave blank to let them wait.',
  placeholder: 'None (faxes wait)',
} as const

const nextOutbound = {
  key: 'next_outbound_backend',
  opensAccess: true,
  env: 'FAX_NEXT_OUTBOUND_BACKEND',
  group: 'advanced',
  label: 'Next outbound provider',
  help: 'Chosen with Set Active on the Plugins screen. Becomes the outbound provider at the next reload or restart. Leave blank for no change.',
} as const

/** Which provider carries faxes. The choices are the providers that the gateway has. */
export function backendRows(providers: readonly { value: string; label: string }[]) {
  const provider = { type: 'choice', choices: providers } as const
  return [
    ...settingRows({ group: 'backend', at: 'hybrid' }, [
      {
        ...provider,
        key: 'backend',
        opensAccess: true,
        env: 'FAX_BACKEND',
        at: 'backend.type',
        label: 'Provider',
        help: 'Sends and receives, unless a different provider is chosen for one direction.',
        default: 'phaxio',
      },
      {
        ...provider,
        key: 'outbound_backend',
        opensAccess: true,
        env: 'FAX_OUTBOUND_BACKEND',
        facts: { 'hybrid.outbound_explicit': (value) => value !== null },
        label: 'Outbound provider',
        help: 'Sends faxes. Leave blank to use the provider above.',
        placeholder: 'Same as provider',
      },
      { ...provider, ...nextOutbound },
      {
        ...provider,
        key: 'inbound_backend',
        opensAccess: true,
        env: 'FAX_INBOUND_BACKEND',
        facts: { 'hybrid.inbound_explicit': (value) => value !== null },
        label: 'Inbound provider',
        help: 'Receives faxes. Leave blank to use the provider above.',
        placeholder: 'Same as provider',
      },
      { ...provider, ...backupProvider },
    ]),
    ...lineRows,
  ] as const
}
