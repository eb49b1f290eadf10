import { settingRows } from '../row.ts'

const lineRows = settingRows([
  {
    type: 'switch',
    key: 'fax_disabled',
    env: 'FAX_DISABLED',
    at: 'backend.disabled',
    group: 'backend',
    label: 'Test line',
    help: 'Every fax goes to the built-in test line; nothing leaves this machine.',
    default: false,
  },
  {
    type: 'number',
    key: 'lane_concurrency',
    env: 'LANE_CONCURRENCY',
    at: 'backend.lane_concurrency',
    group: 'advanced',
    label: 'Simultaneous faxes',
    help: 'How many faxes a provider is given at once. Empty: as many as the provider takes.',
    default: null,
    min: 1,
    max: 200,
  },
  {
    type: 'number',
    key: 'reconcile_minutes',
    env: 'RECONCILE_MINUTES',
    at: 'backend.reconcile_minutes',
    group: 'advanced',
    label: 'Compare with the provider (minutes)',
    help: 'How often the provider is asked for faxes that our records lack. 0: never.',
    default: 15,
    min: 0,
    max: 1440,
  },
])

const standIn = {
  key: 'failover_backend',
  opensAccess: true,
  env: 'FAX_FAILOVER_BACKEND',
  at: 'hybrid.failover_backend',
  label: 'Stand-in provider',
  help: 'Sends faxes in place of the outbound provider while that cannot be reached. Only faxes move that nobody has taken. Leave it empty to let them wait.',
  default: null,
  placeholder: 'None: faxes wait',
} as const

const nextOutbound = {
  key: 'next_outbound_backend',
  opensAccess: true,
  env: 'FAX_NEXT_OUTBOUND_BACKEND',
  at: 'hybrid.next_outbound_backend',
  group: 'advanced',
  label: 'Next outbound provider',
  help: 'Marked by Set Active on the Plugins screen; becomes the outbound provider at the next reload or restart. Empty: no change.',
  default: null,
} as const

/** Which provider carries faxes. The choices are the providers that the gateway has. */
export function backendRows(providers: readonly { value: string; label: string }[]) {
  const provider = { type: 'choice', group: 'backend', choices: providers } as const
  return [
    ...settingRows([
      {
        ...provider,
        key: 'backend',
        opensAccess: true,
        env: 'FAX_BACKEND',
        at: 'backend.type',
        label: 'Provider',
        help: 'Sends and receives unless a direction names another provider.',
        default: 'phaxio',
      },
      {
        ...provider,
        key: 'outbound_backend',
        opensAccess: true,
        env: 'FAX_OUTBOUND_BACKEND',
        at: 'hybrid.outbound_backend',
        facts: { 'hybrid.outbound_explicit': (value) => value !== null },
        label: 'Outbound provider',
        help: 'Sends faxes. Leave it empty to use the provider above.',
        default: null,
        placeholder: 'As the provider',
      },
      { ...provider, ...nextOutbound },
      {
        ...provider,
        key: 'inbound_backend',
        opensAccess: true,
        env: 'FAX_INBOUND_BACKEND',
        at: 'hybrid.inbound_backend',
        facts: { 'hybrid.inbound_explicit': (value) => value !== null },
        label: 'Inbound provider',
        help: 'Receives faxes. Leave it empty to use the provider above.',
        default: null,
        placeholder: 'As the provider',
      },
      { ...provider, ...standIn },
    ]),
    ...lineRows,
  ] as const
}
