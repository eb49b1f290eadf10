import { setTimeout as delay } from 'node:timers/promises'
import type { HealthStatus, JobSummary, LiveMessage, LiveSubject } from '@faxdeck/contract'
import type { Database } from '../../base/db/database.ts'
import type { Trail } from '../../base/events/trail.ts'
import { Gathered } from './gathered.ts'

const gapMs = 400

/** What changes on a screen with what is signaled; the audit trail says the rest. */
const signaled = {
  jobs: ['jobs'],
  inbound: ['inbound', 'health'],
  settings: ['settings', 'health'],
  webhooks: ['webhooks'],
} as const satisfies Record<string, readonly LiveSubject[]>

type Listener = (message: LiveMessage) => void

/** Reads what a message carries along, once for everybody who follows. */
export interface LiveReader {
  jobs: (ids: readonly string[]) => Promise<JobSummary[]>
  health: () => HealthStatus | Promise<HealthStatus>
}

/** The message with what stands there now, where that is little. */
async function carry(message: LiveMessage, { jobs, health }: LiveReader): Promise<LiveMessage> {
  const { changed, job_ids: ids } = message
  return {
    ...message,
    ...(ids && { jobs: await jobs(ids) }),
    ...(changed.includes('health') && { health: await health() }),
  }
}

export interface Changes {
  /** Calls `listener` with what is committed from then on, by any process that shares the database. */
  follow: (listener: Listener) => Promise<() => void>
}

/** What changes are read from, and what goes along with them. */
export interface ChangeSources {
  database: Database
  trail: Trail
  reader: LiveReader
  log: { error: (facts: object, message: string) => void }
}

/** Listens to the database and the trail, and tells what changed, one message at a time. */
function gather({ database, trail, reader, log }: ChangeSources, notify: Listener) {
  let gathered = new Gathered()
  let isNews = false
  let isTelling = false
  let stopped = false
  const notifyAll = async () => {
    try {
      while (isNews && !stopped) {
        isNews = false
        const message = gathered.message()
        gathered = new Gathered()
        if (message) notify(await carry(message, reader))
        await delay(gapMs, undefined, { ref: false })
      }
    } catch (error) {
      log.error({ err: error }, 'Changes cannot be streamed. Consoles keep polling.')
    } finally {
      isTelling = false
    }
  }
  const wake = () => {
    isNews = true
    if (isTelling || stopped) return
    isTelling = true
    void notifyAll()
  }
  const following = trail.follow((entries) => {
    for (const entry of entries) gathered.addEvent(entry.event, entry.job_id, entry.broadcast_id)
    wake()
  })
  const stops = (Object.keys(signaled) as (keyof typeof signaled)[]).map((signal) =>
    database.signals.on(signal, () => {
      gathered.add(signaled[signal])
      wake()
    }),
  )
  const stop = () => {
    stopped = true
    for (const each of stops) each()
    following.then(
      (unfollow) => unfollow(),
      () => undefined,
    )
  }
  return { stop, ready: following }
}

/** What changes in the database, for as long as anybody follows it. */
export function createChanges(of: ChangeSources): Changes {
  const listeners = new Set<Listener>()
  let gathering: ReturnType<typeof gather> | undefined
  const leave = (listener: Listener) => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    gathering?.stop()
    gathering = undefined
  }
  return {
    follow: async (listener) => {
      listeners.add(listener)
      gathering ??= gather(of, (message) => listeners.forEach((each) => each(message)))
      try {
        await gathering.ready
      } catch (error) {
        leave(listener)
        throw error
      }
      return () => leave(listener)
    },
  }
}
