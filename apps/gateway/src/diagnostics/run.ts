import type { Diagnostics } from '@faxdeck/contract'
import type { Documents } from '@faxdeck/documents'
import type { Database } from '../db/database.ts'
import type { Breakers } from '../providers/breakers.ts'
import type { Lines } from '../providers/lines.ts'
import type { Queue } from '../queue/queue.ts'
import type { Settings } from '../settings/settings.ts'
import type { Storage } from '../storage/storage.ts'
import { callbacksGroup } from './callbacks.ts'
import { inboundGroup } from './inbound.ts'
import { pagesGroup } from './pages.ts'
import { type Group, type ProbeLog, runProbe } from './probe.ts'
import { providerGroups, providersInUse } from './provider-probes.ts'
import { queueGroup } from './queue.ts'
import { securityGroup } from './security.ts'
import { storageGroup } from './storage.ts'
import { systemGroup } from './system.ts'

export interface DiagnosticsParts {
  settings: Settings
  lines: Lines
  breakers: Breakers
  database: Database
  storage: Storage
  documents: Pick<Documents, 'findUnprintable'>
  queue: Pick<Queue, 'depth'>
  now: () => Date
  log: ProbeLog
}

function groupsOf({ settings, lines, breakers, database, storage, documents, queue, now }: DiagnosticsParts): Group[] {
  const values = settings.current()
  return [
    ...providerGroups(lines, breakers, values),
    systemGroup(values.fax_data_dir, database, now),
    storageGroup(storage, values),
    securityGroup(values),
    inboundGroup(lines, values),
    pagesGroup(documents, values, lines.outbound()),
    queueGroup(queue, now),
    callbacksGroup(lines.hostOf(lines.outbound()), providersInUse(lines, values)),
  ]
}

/** Looks at everything the gateway depends on, all at once, for five seconds at most. */
export async function runDiagnostics(parts: DiagnosticsParts): Promise<Diagnostics> {
  const { lines, now, log } = parts
  const looked = await Promise.all(
    groupsOf(parts).map(async ({ name, facts, probes }) => {
      const outcomes = await Promise.all(probes.map((probe) => runProbe(name, probe, log)))
      const shown = Object.fromEntries(outcomes.map(({ finding, shown }) => [finding.check, shown]))
      return { name, checks: { ...shown, ...facts }, findings: outcomes.map(({ finding }) => finding) }
    }),
  )
  const findings = looked.flatMap((group) => group.findings)
  const sentencesOf = (severity: string) =>
    findings.filter((each) => !each.passed && each.severity === severity).map(({ sentence }) => sentence ?? '')
  const critical = sentencesOf('critical')
  return {
    timestamp: now().toISOString(),
    backend: lines.outbound().id,
    outbound_backend: lines.outbound().id,
    inbound_backend: lines.inbound().id,
    summary: { healthy: critical.length === 0, critical_issues: critical, warnings: sentencesOf('warning') },
    checks: Object.fromEntries(looked.map(({ name, checks }) => [name, checks])),
    findings,
  }
}
