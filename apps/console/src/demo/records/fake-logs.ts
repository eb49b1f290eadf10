import type { FaxView, FaxViewKind, LogEntry } from '@faxdeck/contract'
import { type FakeCalls, Refusal } from '../fake-calls.ts'
import { instantOf, type World } from '../world.ts'
import { notifyWebhooks } from './fake-messages.ts'

/** Records an event, as if it had just happened; or at `at`, in milliseconds since 1970. */
export function addEvent(world: World, event: string, facts: Partial<LogEntry> = {}, at = world.now()): LogEntry {
  const entry = { ts: instantOf(at), event, ...facts }
  world.events.push(entry)
  notifyWebhooks(world, entry)
  return entry
}

const viewKinds: Readonly<Record<string, FaxViewKind>> = {
  document_viewed: 'opened',
  admin_pdf_download: 'downloaded',
  inbound_pdf_served: 'downloaded',
  document_printed: 'printed',
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

/** A copy of the audit trail that is up to date, and one whose receiver is away. */
export function addTrailCopies(world: World): void {
  const at = (ago: number) => instantOf(world.now() - ago)
  const copied = world.events.length
  const good = { copied, behind: 0, waiting_since: null, sent_at: at(40_000), error: null, state: 'ok' } as const
  const error = 'The endpoint answered 503.'
  const late = { copied: copied - 4, behind: 4, waiting_since: at(90_000), sent_at: at(95_000), error } as const
  world.trailCopies = [
    { sink: 'syslog', target: 'logs.clinic.example:6514', anchored_at: at(300_000), cut_at: null, ...good },
    {
      sink: 'webhook',
      target: 'https://audit.example.org/faxdeck',
      anchored_at: at(700_000),
      cut_at: null,
      ...late,
      state: 'failing',
    },
  ]
}

export function logCalls(world: World) {
  return {
    listFaxViews: ({ params: { id } }) => {
      const seen = world.events.filter((entry) => entry.job_id === id && Object.hasOwn(viewKinds, entry.event))
      const views = seen.map(({ ts, event, key_id: key = 'bootstrap', key_name: name }): FaxView => {
        return { at: ts, how: viewKinds[event] ?? 'opened', key_id: key, name: typeof name === 'string' ? name : null }
      })
      return { views: views.reverse(), recorded: true }
    },
    notePrint: ({ params: { id } }) => void addEvent(world, 'document_printed', { job_id: id, key_id: 'bootstrap' }),
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
    listTrailCopies: () => world.trailCopies ?? [],
    compareTrail: () => ({ fits: true, at: null, problem: null, newest: world.events.length }),
    verifyAuditChain: () => ({
      intact: world.brokenAt === undefined,
      checked: world.brokenAt === undefined ? world.events.length : world.brokenAt - 1,
      broken_at: world.brokenAt ?? null,
    }),
  } satisfies FakeCalls
}
