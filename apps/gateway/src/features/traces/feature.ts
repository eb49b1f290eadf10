import type { GatewayContext } from '../../base/context.ts'
import type { AuditEntry } from '../../base/events/facts.ts'
import type { Feature } from '../../base/feature.ts'
import type { Collector } from './exporter.ts'
import { readLife } from './read-life.ts'

/** A collector that does not answer holds up no stop. */
const longestFlushMs = 2000
/** Whoever stops us may know that a fax has ended before we are told: what ended in this time is looked for. */
const lateMs = 5000
const maxRemembered = 1000

function collectorOf(settings: GatewayContext['settings']): Collector | undefined {
  const { otlp_endpoint: endpoint, otlp_headers: headers } = settings.current()
  if (endpoint === null) return undefined
  const pairs = (headers ?? '').split(',').filter((pair) => pair.includes('='))
  const named = pairs.map((pair) => [pair.slice(0, pair.indexOf('=')).trim(), pair.slice(pair.indexOf('=') + 1).trim()])
  return { endpoint, headers: Object.fromEntries(named) as Record<string, string> }
}

const endedFax = ({ status, job_id: id }: AuditEntry) =>
  (status === 'SUCCESS' || status === 'FAILED') && typeof id === 'string' ? id : undefined

/** The life of each sent fax as a trace, for a collector that is named. Without one nothing of this is loaded. */
export function createTraces(context: GatewayContext, version: string) {
  const { database, events, settings, log, now } = context
  return {
    name: 'traces',
    start: () => {
      const collector = collectorOf(settings)
      if (!collector) return () => undefined
      const opening = import('./exporter.ts').then(({ createExporter }) => createExporter(collector, version))
      const notify = async (id: string) => {
        const life = await readLife(database, id)
        if (life?.job.finished_at) (await opening).notify(life, life.job.finished_at)
      }
      let notified: Promise<unknown> = opening
      const known = new Set<string>()
      const trace = (id: string) => {
        known.add(id)
        const [oldest] = known
        if (oldest !== undefined && known.size > maxRemembered) known.delete(oldest)
        const notifying = notify(id).catch((error: unknown) => log.warn({ err: error }, 'A fax could not be traced.'))
        notified = Promise.all([notified, notifying])
      }
      const forget = events.onRecorded((entry) => {
        const id = endedFax(entry)
        if (id !== undefined) trace(id)
      })
      const flush = async () => {
        const since = new Date(now().getTime() - lateMs).toISOString()
        const ended = database.db.selectFrom('fax_jobs').select('id').where('finished_at', '>', since)
        for (const { id } of await ended.limit(maxRemembered).execute()) if (!known.has(id)) trace(id)
        await notified
        await (await opening).close()
      }
      return async () => {
        forget()
        const late = new Promise((resolve) => setTimeout(resolve, longestFlushMs).unref())
        await Promise.race([flush().catch(() => undefined), late])
      }
    },
  } satisfies Feature
}
