import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { GatewayContext } from '../../base/context.ts'
import type { Feature } from '../../base/feature.ts'
import type { Handlers } from '../../base/http/handler.ts'
import { guardedFetch } from '../../base/outgoing/guarded-fetch.ts'
import { mayReceiveWebhooks } from '../../base/outgoing/reach.ts'
import { trailCopiesGroup } from './checks.ts'
import { compareEntries } from './compare.ts'
import { copyOn, createMemory } from './copy-on.ts'
import type { TrailSink } from './message.ts'
import { sinksOf } from './sinks.ts'
import { presentCopies, readLags } from './states.ts'
import { giveTurns } from './store.ts'

const lookEveryMs = 5000
const gapMs = 1000
/** After a failure, the next try comes after this long, then after twice as long, up to the longest. */
const firstRetryMs = 1000
const longestRetryMs = 60_000
/** Bytes of an answer that are kept for whoever looks for the fault. */
const answerKept = 1024

/** Copies to each place by itself: one that is slow or away holds up no other. */
class Copier {
  readonly #context: GatewayContext
  readonly #owner = randomUUID()
  readonly #stopping = new AbortController()
  readonly #http: ReturnType<typeof guardedFetch>
  readonly #running = new Map<TrailSink['name'], Promise<void>>()
  /** Places for which there may be more, since something was recorded while they were being copied to. */
  readonly #wanted = new Set<TrailSink['name']>()
  readonly #memory = createMemory()
  readonly #waits = new Map<TrailSink['name'], { until: number; ms: number }>()

  constructor(context: GatewayContext) {
    this.#context = context
    const mayReach = (_host: string, address: string) =>
      mayReceiveWebhooks(address, context.settings.current().webhook_allowed_cidrs)
    this.#http = guardedFetch({ limit: answerKept, cut: true, mayReach })
  }

  /** Goes on wherever nothing runs and no failure is waited out. */
  look(): void {
    const { settings, now } = this.#context
    if (this.#stopping.signal.aborted) return
    for (const sink of sinksOf(settings.current(), { fetch: this.#http.fetch, now })) {
      const isWaiting = (this.#waits.get(sink.name)?.until ?? 0) > performance.now()
      if (this.#running.has(sink.name)) this.#wanted.add(sink.name)
      else if (!isWaiting) this.#running.set(sink.name, this.#run(sink))
    }
  }

  async #run(sink: TrailSink): Promise<void> {
    await this.#copy(sink)
    await delay(gapMs, undefined, { signal: this.#stopping.signal, ref: false }).catch(() => undefined)
    this.#running.delete(sink.name)
    if (this.#wanted.delete(sink.name)) this.look()
  }

  async #copy(sink: TrailSink): Promise<void> {
    const { database, settings, events, now, log } = this.#context
    const [{ signal }, memory] = [this.#stopping, this.#memory]
    try {
      for (let more = true; more && !signal.aborted;) {
        const anchorMs = settings.current().trail_anchor_minutes * 60_000
        more = await copyOn({
          database,
          sink,
          owner: this.#owner,
          now,
          anchorMs,
          signal,
          memory,
          recorded: events.recorded,
        })
      }
      this.#waits.delete(sink.name)
    } catch (error) {
      const ms = Math.min(longestRetryMs, (this.#waits.get(sink.name)?.ms ?? firstRetryMs / 2) * 2)
      this.#waits.set(sink.name, { until: performance.now() + ms, ms })
      if (!signal.aborted) log.warn({ err: error, sink: sink.name }, 'The audit trail could not be copied.')
    }
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await Promise.all(this.#running.values())
    // Of no matter when the database is away: the turn ends by itself.
    await giveTurns(this.#context.database, this.#owner).catch(() => undefined)
    await this.#http.close()
  }
}

/** Copies of the audit trail outside: syslog, a webhook, a file. */
export function createTrailCopies(context: GatewayContext) {
  const { database, settings, now } = context
  return {
    name: 'trail-copies',
    routes: {
      listTrailCopies: () => presentCopies({ database, settings, now }),
      compareTrail: ({ body }) => compareEntries(database, body.entries),
    } satisfies Partial<Handlers>,
    checks: trailCopiesGroup({ database, settings, now }),
    /** How far each copy is behind, in seconds. */
    lags: () => readLags({ database, settings, now }),
    start: () => {
      const copier = new Copier(context)
      copier.look()
      const unfollow = database.signals.on('audit', () => copier.look())
      const timer = setInterval(() => copier.look(), lookEveryMs).unref()
      return async () => {
        clearInterval(timer)
        unfollow()
        await copier.stop()
      }
    },
  } satisfies Feature & Record<string, unknown>
}
