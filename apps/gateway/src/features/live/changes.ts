import { setTimeout as delay } from 'node:timers/promises'
import type { HealthStatus, JobSummary, LiveMessage, LiveSubject } from '@faxdeck/contract'
import type { Database } from '../../base/db/database.ts'
import type { Trail } from '../../base/events/trail.ts'

const maxIds = 50

/** What an event of the audit trail changes on a screen, by its name. */
const subjects: readonly [RegExp, readonly LiveSubject[]][] = [
  [/^job_/, ['jobs', 'health']],
  [/^broadcast_(created|paused|resumed|cancelled)$/, ['broadcasts']],
  [/^approval_/, ['approvals', 'health']],
  [/^inbound_(received|failed|fetch_failed|deleted)$/, ['inbound', 'health']],
  [/^(settings_changed|settings_undone|webhook_registered|plugin_.*)$/, ['settings', 'health']],
  [/^webhook_(created|updated|removed|rotated|stopped)$/, ['webhooks']],
]

/** What has changed since the last message. */
class Gathered {
  readonly #changed = new Set<LiveSubject>()
  readonly #jobIds = new Set<string>()
  readonly #broadcastIds = new Set<string>()
  #unnamed = false

  /** @param jobId the job, when a single one has changed */
  add(changed: readonly LiveSubject[], jobId?: string): void {
    for (const subject of changed) this.#changed.add(subject)
    if (!changed.includes('jobs')) return
    if (jobId === undefined) this.#unnamed = true
    else this.#jobIds.add(jobId)
  }

  /** @param broadcastId the broadcast that the job belongs to */
  addEvent(event: string, jobId: string | null, broadcastId: string | null = null): void {
    const found = subjects.find(([name]) => name.test(event))
    if (found) this.add(found[1], jobId ?? undefined)
    if (broadcastId === null) return
    this.#changed.add('broadcasts')
    this.#broadcastIds.add(broadcastId)
  }

  /** Undefined when nothing that a screen shows has changed. */
  message(): LiveMessage | undefined {
    if (this.#changed.size === 0) return undefined
    const named = !this.#unnamed && this.#jobIds.size > 0 && this.#jobIds.size <= maxIds
    const broadcasts = [...this.#broadcastIds]
    return {
      changed: [...this.#changed],
      ...(named ? { job_ids: [...this.#jobIds] } : {}),
      ...(broadcasts.length > 0 && broadcasts.length <= maxIds ? { broadcast_ids: broadcasts } : {}),
    }
  }
}

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
  /** The jobs with these ids, and those whose summaries change with them. */
  jobs: (ids: readonly string[]) => Promise<JobSummary[]>
  health: () => HealthStatus | Promise<HealthStatus>
}

/** The message with what stands there now, where that is little. */
async function carry(message: LiveMessage, { jobs, health }: LiveReader): Promise<LiveMessage> {
  const { changed, job_ids: ids } = message
  const carried = ids && (await jobs(ids))
  return {
    ...message,
    ...(ids && carried && { jobs: carried, job_ids: [...new Set([...ids, ...carried.map(({ id }) => id)])] }),
    ...(changed.includes('health') && { health: await health() }),
  }
}

export interface Changes {
  /** Calls `listener` with what is committed from then on, by any process that shares the database. */
  follow: (listener: Listener) => Promise<() => void>
}

/** What changes are read from, and what goes along with them. */
interface ChangeSources {
  database: Database
  trail: Trail
  reader: LiveReader
  log: { error: (facts: object, message: string) => void }
}

/** Listens to the database and the trail, and reports what changed, one message at a time. */
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
