import type { Diagnostics, Finding } from '@faxdeck/contract'
import { readBackupState } from '../../base/backups/last-backup.ts'
import type { GatewayContext } from '../../base/context.ts'
import type { AskOurselves } from '../../base/outgoing/ask-ourselves.ts'
import { callbacksGroup, inboundGroup, pagesGroup, queueGroup, testLineGroups } from './groups.ts'
import type { Integrity } from './watch-documents.ts'
import { clockProbe, clocksOf } from './clock.ts'
import type { Group, Probe } from '../../base/checks.ts'
import { type ProbeLog, runProbe } from './probe.ts'
import { needsPublicAddress, providerGroups, providersInUse } from './provider-probes.ts'
import { pausedProviders } from '../../base/providers/describe-pause.ts'
import { countStates } from '../../fax/move/job-states.ts'
import { securityGroup } from './security.ts'
import { type EncryptionState, storageGroup } from './storage.ts'
import { systemGroup } from './system.ts'

export interface DiagnosticsParts {
  askOurselves: AskOurselves
  integrity: Integrity
  encryption: () => Promise<EncryptionState>
  /** The groups of features that look at themselves. */
  reported: readonly Group[]
  /** Called with what a run has found. */
  onFindings: (findings: readonly Finding[]) => void
}

interface Looked {
  name: string
  checks: Diagnostics['checks'][string]
  findings: Finding[]
}

async function lookAt({ name, facts, probes }: Group, log: ProbeLog): Promise<Looked> {
  const outcomes = await Promise.all(probes.map((probe) => runProbe(name, probe, log)))
  const shown = Object.fromEntries(outcomes.map(({ finding, shown }) => [finding.check, shown]))
  return { name, checks: { ...shown, ...facts }, findings: outcomes.map(({ finding }) => finding) }
}

/** Everything but the providers. @param clock compares the clock with those of the providers that were asked */
function otherGroups(
  context: GatewayContext,
  { askOurselves, integrity, encryption, reported }: DiagnosticsParts,
  clock: Probe,
): Group[] {
  const { settings, providers, breakers, database, storage, documents, queue, now } = context
  const values = settings.current()
  const outbound = providers.outbound()
  const isAddressNeeded = needsPublicAddress(providersInUse(providers, values))
  const publicUrl = values.public_api_url.replace(/\/+$/, '')
  const largestBytes = values.max_file_size_mb * 1024 ** 2
  return [
    ...testLineGroups(providers),
    systemGroup({
      directory: values.fax_data_dir,
      database,
      largestBytes,
      clock,
      backup: () => readBackupState(context),
    }),
    storageGroup(storage, values, { documents: integrity.documents, encryption }),
    securityGroup(values, { operatorLines: settings.operatorLines(), isAddressNeeded, trail: integrity.trail }),
    inboundGroup(context, values),
    pagesGroup(documents, values, outbound),
    queueGroup({
      queue,
      states: () => countStates(database.db, pausedProviders(context)),
      paused: () => providers.providers.flatMap(({ id, name }) => (breakers.pauseOf(id) ? [name] : [])),
      now,
    }),
    callbacksGroup(publicUrl, askOurselves, isAddressNeeded),
    ...reported,
  ]
}

/** Resolves with the signal, for those who wait for something else no longer than that. */
const ended = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))

async function lookAtAll(context: GatewayContext, parts: DiagnosticsParts): Promise<Looked[]> {
  const { settings, providers, breakers, database, now, log } = context
  const values = settings.current()
  const asked = Promise.all(providerGroups(providers, breakers, values).map((group) => lookAt(group, log)))
  const others = async (signal: AbortSignal) => {
    await Promise.race([asked, ended(signal)])
    return clocksOf(providers, providersInUse(providers, values))
  }
  const rest = otherGroups(context, parts, clockProbe({ database, now, others })).map((group) => lookAt(group, log))
  return [...(await asked), ...(await Promise.all(rest))]
}

/** The sentences of a severity, each once: several checks may meet the same fault. */
const sentencesOf = (findings: readonly Finding[], severity: Finding['severity']) => [
  ...new Set(
    findings.filter((each) => !each.passed && each.severity === severity).map(({ sentence }) => sentence ?? ''),
  ),
]

/** Looks at everything the gateway depends on, all at once, for five seconds at most. */
export async function runDiagnostics(context: GatewayContext, parts: DiagnosticsParts): Promise<Diagnostics> {
  const { providers, now } = context
  const looked = await lookAtAll(context, parts)
  const findings = looked.flatMap((group) => group.findings)
  parts.onFindings(findings)
  const critical = sentencesOf(findings, 'critical')
  const warnings = sentencesOf(findings, 'warning').filter((sentence) => !critical.includes(sentence))
  return {
    timestamp: now().toISOString(),
    backend: providers.outbound().id,
    outbound_backend: providers.outbound().id,
    inbound_backend: providers.inbound().id,
    summary: { healthy: critical.length === 0, critical_issues: critical, warnings },
    checks: Object.fromEntries(looked.map(({ name, checks }) => [name, checks])),
    findings,
  }
}
