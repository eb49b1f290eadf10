import type { Diagnostics, Finding } from '@faxdeck/contract'
import { type FakeCalls, Refusal } from '../fake-calls.ts'
import { instantOf, type World } from '../world.ts'

/** One finding of the diagnostics; passed, unless a sentence says what is wrong. */
export function findingOf(group: string, check: string, fields: Partial<Finding> = {}): Finding {
  const { sentence = null } = fields
  return {
    group,
    check,
    passed: sentence === null,
    severity: 'critical',
    sentence,
    detail: null,
    setting: null,
    ...fields,
  }
}

/** What is looked at for a provider: those of the cloud, unless it is named. */
const checksOf: Readonly<Record<string, readonly string[]>> = {
  testline: ['memory_writable', 'can_send'],
  trunk: ['asterisk_installed', 'host_resolves', 'asterisk_up', 'trunk_registered', 'carrier_answers'],
}

const providerFindings = ({ config: { hybrid }, settings }: World) =>
  [...new Set([hybrid.outbound, hybrid.inbound, settings.saved.failover_backend])]
    .filter((id) => typeof id === 'string')
    .flatMap((id) => (checksOf[id] ?? ['auth', 'auth_valid']).map((check) => findingOf(id, check)))

const healthy = (world: World) => [
  ...providerFindings(world),
  findingOf('system', 'fax_data_dir', { detail: '/srv/faxdeck/faxdata' }),
  findingOf('system', 'fax_data_writable'),
  findingOf('system', 'disk_space', {
    severity: 'warning',
    detail: '41.7 GB of 100.0 GB free (41 %)',
    setting: 'artifact_ttl_days',
  }),
  findingOf('system', 'temp_dir_writable', { severity: 'warning' }),
  findingOf('system', 'database_connected', { detail: 'sqlite:/srv/faxdeck/faxdata/faxdeck.db' }),
  findingOf('system', 'clock', { severity: 'warning', detail: 'agrees with the provider' }),
  findingOf('system', 'ghostscript', { severity: 'info', detail: 'not installed, not needed' }),
  findingOf('storage', 'accessible'),
  findingOf('storage', 'documents_kept', {
    detail: `the documents of ${world.jobs.length + world.inbound.length} faxes were looked for`,
  }),
  findingOf('security', 'enforce_https', { severity: 'warning' }),
  findingOf('security', 'audit_logging', { severity: 'warning' }),
  findingOf('security', 'rate_limiting', { severity: 'warning' }),
  findingOf('security', 'audit_trail_intact', {
    detail: `${world.events.length} of ${world.events.length} entries looked at`,
  }),
  findingOf('pages', 'header_line_printable', { severity: 'warning', setting: 'fax_header' }),
  findingOf('queue', 'oldest_age', { severity: 'warning', detail: 'nothing is overdue' }),
  findingOf('webhooks', 'none_stopped', { severity: 'warning' }),
  findingOf('callbacks', 'public_url_reachable', { severity: 'warning' }),
]

const factsOf = ({ config }: World): Diagnostics['checks'] => ({
  security: { pdf_token_ttl: 60 },
  inbound: {
    enabled: true,
    backend: config.hybrid.inbound,
    requires_ami: false,
    needs_storage: true,
    inbound_verification: 'none',
  },
})

function diagnosticsOf(world: World): Diagnostics {
  const findings = world.findings ?? healthy(world)
  const reported = { ...factsOf(world), storage: { type: world.config.storage.backend } }
  const groups = new Set([...findings.map(({ group }) => group), ...Object.keys(reported)])
  const shownOf = (name: string) => {
    const own = findings.filter(({ group }) => group === name)
    const shown = own.map(({ check, severity, detail, passed }) => [check, severity === 'info' ? detail : passed])
    return {
      ...(Object.fromEntries(shown) as Diagnostics['checks'][string]),
      ...reported[name as keyof typeof reported],
    }
  }
  const failed = (wanted: Finding['severity']) =>
    findings.flatMap(({ severity, sentence, passed }) => (!passed && severity === wanted && sentence ? [sentence] : []))
  return {
    timestamp: instantOf(world.now()),
    backend: world.config.backend,
    outbound_backend: world.config.hybrid.outbound,
    inbound_backend: world.config.hybrid.inbound,
    summary: {
      healthy: failed('critical').length === 0,
      critical_issues: failed('critical'),
      warnings: failed('warning'),
    },
    checks: Object.fromEntries([...groups].map((name) => [name, shownOf(name)])),
    findings,
  }
}

export function diagnosticsCalls(world: World) {
  return {
    runDiagnostics: () => diagnosticsOf(world),
    getEncryption: () => world.encryption,
    getDbStatus: () => ({
      url: 'sqlite:/srv/faxdeck/faxdata/faxdeck.db',
      engine: 'sqlite' as const,
      connected: true,
      error: null,
      counts: { fax_jobs: world.jobs.length, inbound_fax: world.inbound.length, api_keys: world.keys.length },
    }),
    settleDataFolder: () => {
      world.config.data_folder_from = null
    },
    restart: () => {
      if (!world.config.allow_restart) throw new Refusal('restart_refused')
      world.restarts += 1
      return { ok: true }
    },
  } satisfies FakeCalls
}
