import type { LogEntry } from '@faxdeck/contract'
import type { GatewayContext } from '../../base/context.ts'
import type { AuditEntry } from '../../base/events/facts.ts'
import { searchWords } from '../../base/events/search-words.ts'
import type { Feature } from '../../base/feature.ts'
import type { Handlers } from '../../base/http/handler.ts'
import { Problem } from '../../base/http/answers/problem.ts'
import { AuditFile, auditFile, lastLines } from './audit-file.ts'
import { listFaxViews, notePrint } from './fax-views.ts'

function shown(entry: AuditEntry): LogEntry {
  return Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== null)) as LogEntry
}

function parsed(line: string): LogEntry | undefined {
  try {
    return shown(JSON.parse(line) as AuditEntry)
  } catch {
    // A line cut short by a crash is no entry; the database has it whole.
    return undefined
  }
}

function logHandlers(context: GatewayContext) {
  const { events, settings } = context
  return {
    listFaxViews: ({ params }) => listFaxViews(context, params.id),
    notePrint: async ({ params, caller }) => {
      await notePrint(context, params.id, caller)
    },
    listLogs: async ({ query }) => {
      const since = query.since === undefined ? undefined : new Date(query.since).toISOString()
      const items = (await events.list({ ...query, since })).map(shown)
      return { items, count: items.length }
    },

    tailLogFile: async ({ query }) => {
      const values = settings.current()
      if (!values.audit_log_enabled) {
        throw new Problem(
          'feature_disabled',
          'The audit log file is off. Turn on Audit log file under Settings, Security.',
        )
      }
      const source = auditFile(values)
      const words = searchWords(query.q)
      const lines = await lastLines(source, query.lines)
      const items = lines
        .filter((line) => words.every((word) => line.toLowerCase().includes(word)))
        .map(parsed)
        .filter((entry) => entry !== undefined)
        .filter((entry) => query.event === undefined || entry.event === query.event)
      return { items, count: items.length, source }
    },

    verifyAuditChain: () => events.verify(),
  } satisfies Partial<Handlers>
}

/** The audit trail: reading it, and the copy of it in a file. */
export function createLogs(context: GatewayContext) {
  const { events, settings, log } = context
  const onFailed = (error: unknown) => log.error({ err: error }, 'The audit file cannot be written.')
  const file = new AuditFile(events, settings, onFailed)
  return { name: 'logs', routes: logHandlers(context), close: () => file.close() } satisfies Feature
}
