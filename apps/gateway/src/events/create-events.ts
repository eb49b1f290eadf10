import type { Database, Tx } from '../db/database.ts'
import { transactTogether } from '../db/commit-group.ts'
import { afterCommit, gather, type Gatherer } from '../db/transact.ts'
import type { Happening } from './chain.ts'
import { appendToChain } from './chain.ts'
import type { AuditEntry, EventName, Events, RecordingSink } from './events.ts'
import { listEvents, verifyChain } from './read.ts'

/** Every event there is; one that is missing here does not compile. */
const eventNames = Object.keys({
  job_created: 1,
  job_dispatch: 1,
  job_updated: 1,
  job_failed: 1,
  job_cancelled: 1,
  job_resent: 1,
  job_resolved: 1,
  job_conflict: 1,
  pdf_served: 1,
  admin_pdf_download: 1,
  document_viewed: 1,
  document_removed: 1,
  strays_removed: 1,
  inbound_received: 1,
  inbound_failed: 1,
  inbound_fetch_failed: 1,
  inbound_pdf_served: 1,
  inbound_deleted: 1,
  inbound_declined: 1,
  callback_refused: 1,
  api_key_created: 1,
  api_key_revoked: 1,
  api_key_rotated: 1,
  api_key_denied_scope: 1,
  rate_limited: 1,
  api_error: 1,
  login_failed: 1,
  login_succeeded: 1,
  settings_changed: 1,
  settings_exported: 1,
  settings_persisted: 1,
  settings_validated: 1,
  restart_requested: 1,
  request_repeated: 1,
  approval_requested: 1,
  approval_granted: 1,
  approval_refused: 1,
  approval_expired: 1,
  webhook_registered: 1,
  webhook_created: 1,
  webhook_updated: 1,
  webhook_removed: 1,
  webhook_rotated: 1,
  webhook_tested: 1,
  webhook_replayed: 1,
  webhook_stopped: 1,
  action_started: 1,
  action_ended: 1,
  pairing_code_made: 1,
  pairing_refused: 1,
  plugin_installed: 1,
  plugin_removed: 1,
  plugin_configured: 1,
} satisfies Record<EventName, 1>)

const methodName = (event: string) => event.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

type Facts = Happening['facts']

/** The audit trail of a database. */
export function createEvents(database: Database, now: () => Date = () => new Date()): Events {
  const sinks = new Set<(entry: AuditEntry) => void>()
  const recordingSinks: RecordingSink[] = []

  const chain: Gatherer<Happening> = {
    turn: 'audit',
    write: async (tx, happenings) => {
      const entries = await appendToChain(tx, happenings)
      for (const sink of recordingSinks) await sink(tx, entries)
      await database.signals.tell(tx, 'audit')
      afterCommit(tx, () => {
        for (const entry of entries) for (const sink of sinks) sink(entry)
      })
    },
  }
  const method = (event: string) => async (facts: Facts | readonly Facts[], tx?: Tx) => {
    const all = Array.isArray(facts) ? (facts as readonly Facts[]) : [facts as Facts]
    const ts = now().toISOString()
    const happenings = all.map((each) => ({ ts, event, facts: each }))
    if (all.length === 0) return
    if (tx) gather(tx, chain, happenings)
    else await transactTogether(database, async (own) => gather(own, chain, happenings))
  }
  // The table of names proves that every method is there; its facts were checked where it is called.
  const methods = Object.fromEntries(eventNames.map((event) => [methodName(event), method(event)])) as unknown as Events
  return {
    ...methods,
    list: (filter) => listEvents(database, filter),
    verify: (signal) => verifyChain(database, signal),
    onRecording: (sink) => void recordingSinks.push(sink),
    onRecorded: (sink) => {
      sinks.add(sink)
      return () => void sinks.delete(sink)
    },
  }
}
