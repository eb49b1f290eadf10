import type { FastifyInstance } from 'fastify'
import type { GatewayContext } from '../../base/context.ts'
import type { Database } from '../../base/db/database.ts'
import { measureWithLimit } from '../../base/measure.ts'

interface Readiness {
  status: 'ready' | 'not_ready'
  checks: {
    db: boolean
    storage: boolean
    outbound: { backend: string; configured: boolean }
    inbound: { backend: string; enabled: boolean }
  }
}

const freshMs = 1000
const longestMs = 3000

/** Whether a probe succeeds in time. What it said is for the diagnostics; here only the answer counts. */
async function holds(probe: () => Promise<unknown>): Promise<boolean> {
  const late = new Promise<false>((resolve) => setTimeout(resolve, longestMs, false).unref())
  const done = probe().then(
    () => true,
    () => false,
  )
  return Promise.race([done, late])
}

/**
 * Tries what every fax that is accepted needs, the end of the audit trail, and changes nothing: a database that only
 * reads, or a lock that somebody does not give back, is as good as none. A file that was moved away would still answer.
 */
async function tryAccepting({ db, engine, checkPlace }: Database): Promise<void> {
  checkPlace()
  await db.transaction().execute((tx) => {
    const head = tx.selectFrom('audit_head').select('seq')
    return head.$if(engine === 'postgres', (query) => query.forUpdate()).execute()
  })
}

async function lookAt({ database, storage, settings, providers }: GatewayContext): Promise<Readiness> {
  const [db, stored] = await Promise.all([holds(() => tryAccepting(database)), holds(() => storage.probe())])
  return {
    status: db && stored ? 'ready' : 'not_ready',
    checks: {
      db,
      storage: stored,
      outbound: {
        backend: providers.outbound().id,
        configured: providers.problemOf(providers.outbound()) === undefined,
      },
      inbound: { backend: providers.inbound().id, enabled: settings.current().inbound_enabled },
    },
  }
}

/** GET /health/ready: 200 when faxes can be taken and kept, else 503. Needs no key; probes at most once a second. */
export function serveReadiness(app: FastifyInstance, context: GatewayContext): void {
  const look = measureWithLimit(
    freshMs,
    // Not the time of day: set back, it would keep an answer for hours.
    () => performance.now(),
    () => lookAt(context),
  )
  app.get('/health/ready', async (_request, reply) => {
    const readiness = await look()
    if (readiness.status === 'ready') return readiness
    return reply.status(503).header('retry-after', '5').send(readiness)
  })
}
