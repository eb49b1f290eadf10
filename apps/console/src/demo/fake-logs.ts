import type { LogEntry } from '@faxdeck/contract'
import type { FakeCalls } from '../demo/fake-calls.ts'
import { notifyWebhooks } from './fake-messages.ts'
import { Refusal } from '../demo/refusal.ts'
import { instantOf, type World } from '../demo/world.ts'

/** Records an event, as if it had just happened; or at `at`, in milliseconds since 1970. */
export function addEvent(world: World, event: string, facts: Partial<LogEntry> = {}, at = world.now()): LogEntry {
  const entry = { ts: instantOf(at), event, ...facts }
  world.events.push(entry)
  notifyWebhooks(world, entry)
  return entry
}

interface Filter {
  q?: string | undefined
  event?: string | undefined
}

const fits =
  ({ q = '', event }: Filter) =>
  (entry: LogEntry) => {
    const text = JSON.stringify(entry).toLowerCase()
    const words = q.toLowerCase().split(/\s+/)
    return (event === undefined || entry.event === event) && words.every((word) => text.includes(word))
  }

export function logCalls(world: World) {
  return {
    listLogs: ({ query: { since, limit, ...filter } }) => {
      const from = since ? Date.parse(since) : 0
      const all = world.events.filter(fits(filter)).filter(({ ts }) => Date.parse(ts) >= from)
      const items = all.toReversed().slice(0, Number(limit ?? 200))
      return { items, count: items.length }
    },
    tailLogFile: ({ query: { lines, ...filter } }) => {
      if (!world.config.audit_log_enabled) throw new Refusal('feature_disabled', 'The audit log file is off.')
      const items = world.events.slice(-Number(lines ?? 2000)).filter(fits(filter))
      return { items, count: items.length, source: '/srv/faxdeck/faxdata/audit.log' }
    },
    verifyAuditChain: () => ({
      intact: world.brokenAt === undefined,
      checked: world.brokenAt === undefined ? world.events.length : world.brokenAt - 1,
      broken_at: world.brokenAt ?? null,
    }),
  } satisfies FakeCalls
}
