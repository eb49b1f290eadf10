import type { LogEntry } from '@faxdeck/contract'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { callQuery } from '../../api/call-query.ts'
import { client } from '../../api/client.ts'
import { gatewayNow } from '../../api/live/gateway-clock.ts'
import { pause } from '../../api/live/pause.ts'
import { watch } from '../../api/live/watch.ts'
import { fitting, type LogFields, requestOf } from './log-filter.ts'

/** A search begins when the typing pauses. */
const typingPause = 250

export interface LogRow {
  /** Distinguishes entries that say the same. */
  id: string
  entry: LogEntry
}

/** Rows whose ids stay the same while entries come before and fall off behind. */
function rowsOf(entries: readonly LogEntry[]): LogRow[] {
  const seen = new Map<string, number>()
  // Counted from the oldest on: a twin that comes later does not take its name away.
  return entries
    .toReversed()
    .map((entry) => {
      const text = JSON.stringify(entry)
      const count = seen.get(text) ?? 0
      seen.set(text, count + 1)
      return { id: `${text}${count}`, entry }
    })
    .reverse()
}

export interface LogList {
  /** Newest first. */
  rows: readonly LogRow[]
  /** How many came from the gateway; tokens may leave fewer. */
  loaded: number
  /** The audit file that was read. */
  file?: string
}

async function readLogs(fields: LogFields, signal: AbortSignal): Promise<LogList> {
  const { since, limit, lines, ...filter } = requestOf(fields, gatewayNow())
  if (fields.source === 'file') {
    const { items, source } = await client.tailLogFile({ query: { ...filter, lines } }, { signal })
    return { rows: rowsOf(fitting(items.toReversed(), fields)), loaded: items.length, file: source }
  }
  const { items } = await client.listLogs({ query: { ...filter, since, limit } }, { signal })
  return { rows: rowsOf(fitting(items, fields)), loaded: items.length }
}

/** The entries that fit, newest first; asked for every two seconds while a person follows. */
export const logsQuery = (fields: LogFields, follow: boolean) =>
  queryOptions({
    queryKey: ['logs', fields],
    queryFn: async ({ signal }) => {
      if (fields.search || fields.event) await pause(typingPause, signal)
      return readLogs(fields, signal)
    },
    refetchInterval: follow ? watch.logs : false,
    placeholderData: keepPreviousData,
  })

export const verifyChain = () => client.verifyAuditChain({})
export const enableAuditLog = () => client.updateSettings({ body: { audit_log_enabled: true } })

/** Where the audit trail is copied to, and how far. */
export const trailCopiesQuery = callQuery(['logs', 'copies'], client.listTrailCopies, { refetchInterval: watch.jobs })
