import type { LogEntry } from '@faxdeck/contract'
import type { Events } from '../events/events.ts'
import type { AuditEntry } from '../events/facts.ts'
import { searchWords } from '../events/search-words.ts'
import type { Handlers } from '../http/handler.ts'
import { Problem } from '../http/problem.ts'
import type { Settings } from '../settings/settings.ts'
import { auditFile } from './audit-file.ts'
import { lastLines } from './last-lines.ts'

export type LogRoutes = 'listLogs' | 'tailLogFile' | 'verifyAuditChain'

/** An entry without its empty facts. */
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

/** Reading the audit trail. */
export function logHandlers(events: Pick<Events, 'list' | 'verify'>, settings: Settings): Handlers<LogRoutes> {
  return {
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
  }
}
