import type { LiveMessage, LiveSubject } from '@faxdeck/contract'
import type { Database } from '../db/database.ts'
import type { Trail } from '../events/trail.ts'
import { Gathered } from './gathered.ts'

/** Changes this close together are told in one message. */
const gapMs = 200

/** What changes on a screen with what is signalled; the audit trail says the rest. */
const signalled = {
  jobs: ['jobs'],
  inbound: ['inbound', 'health'],
  settings: ['settings', 'health'],
  webhooks: ['webhooks'],
} as const satisfies Record<string, readonly LiveSubject[]>

type Listener = (message: LiveMessage) => void

export interface Changes {
  /** Calls `listener` with what is committed from then on, by any process that shares the database. */
  follow: (listener: Listener) => Promise<() => void>
}

/** Listens to the database and the trail, and tells what changed, one message at a time. */
function gather({ database, trail }: { database: Database; trail: Trail }, tell: Listener) {
  let gathered = new Gathered()
  let told = 0
  let timer: NodeJS.Timeout | undefined
  const tellAll = () => {
    timer = undefined
    told = Date.now()
    const message = gathered.message()
    gathered = new Gathered()
    if (message) tell(message)
  }
  const tellSoon = () => {
    timer ??= setTimeout(tellAll, Math.max(0, Math.min(gapMs, told + gapMs - Date.now()))).unref()
  }
  const following = trail.follow((entries) => {
    for (const { event, job_id: jobId } of entries) gathered.addEvent(event, jobId)
    tellSoon()
  })
  const stops = (Object.keys(signalled) as (keyof typeof signalled)[]).map((signal) =>
    database.signals.on(signal, () => {
      gathered.add(signalled[signal])
      tellSoon()
    }),
  )
  const stop = () => {
    clearTimeout(timer)
    for (const each of stops) each()
    following.then(
      (unfollow) => unfollow(),
      () => undefined,
    )
  }
  return { stop, ready: following }
}

/** What changes in the database, for as long as anybody follows it. */
export function createChanges(of: { database: Database; trail: Trail }): Changes {
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
