import { setTimeout as delay } from 'node:timers/promises'
import type { LiveMessage, LiveSubject } from '@faxdeck/contract'
import type { Database } from '../db/database.ts'
import { Gathered } from './gathered.ts'

/** Changes this close together are told in one message. */
const gapMs = 200
const mostEvents = 500

/** What changes on a screen with what is signalled; the audit trail says more. */
const signalled = {
  audit: [],
  jobs: ['jobs'],
  inbound: ['inbound', 'health'],
  settings: ['settings', 'health'],
  webhooks: ['webhooks'],
} as const satisfies Record<string, readonly LiveSubject[]>

type Listener = (message: LiveMessage) => void
type Log = { error: (facts: object, message: string) => void }

export interface Changes {
  /** Calls `listener` with what is committed from then on, by any process that shares the database. */
  follow: (listener: Listener) => Promise<() => void>
}

async function readHead({ db }: Database): Promise<number> {
  return (await db.selectFrom('audit_head').select('seq').executeTakeFirstOrThrow()).seq
}

/** Reads the trail on from a place. Places are committed in their order, so that none is passed over. */
async function readOn(database: Database, from: number, gathered: Gathered): Promise<number> {
  let place = from
  for (;;) {
    const newer = database.db.selectFrom('audit_events').where('seq', '>', place).orderBy('seq').limit(mostEvents)
    const rows = await newer
      .leftJoin('fax_jobs as job', 'job.id', 'audit_events.job_id')
      .select(['seq', 'event', 'job_id', 'job.broadcast_id'])
      .execute()
    for (const row of rows) gathered.addEvent(row.event, row.job_id, row.broadcast_id)
    place = rows.at(-1)?.seq ?? place
    if (rows.length < mostEvents) return place
  }
}

/** Listens to the database and tells what changed, one message at a time. */
async function start(database: Database, tell: Listener, log: Log): Promise<() => void> {
  let stopped = false
  let gathered = new Gathered()
  let place = await readHead(database)
  let telling = false
  let woken = false
  const tellAll = async () => {
    while (woken && !stopped) {
      woken = false
      place = await readOn(database, place, gathered)
      const message = gathered.message()
      gathered = new Gathered()
      if (message) tell(message)
      await delay(gapMs, undefined, { ref: false })
    }
  }
  const wake = () => {
    woken = true
    if (telling || stopped) return
    telling = true
    tellAll()
      .catch((error: unknown) => log.error({ err: error }, 'What changed cannot be told; consoles go on asking.'))
      .finally(() => {
        telling = false
      })
  }
  const stops = (Object.keys(signalled) as (keyof typeof signalled)[]).map((signal) =>
    database.signals.on(signal, () => {
      gathered.add(signalled[signal])
      wake()
    }),
  )
  return () => {
    stopped = true
    for (const stop of stops) stop()
  }
}

/** What changes in the database, for as long as anybody follows it. */
export function createChanges(database: Database, log: Log): Changes {
  const listeners = new Set<Listener>()
  let started: Promise<() => void> | undefined
  const leave = (listener: Listener) => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    void started?.then((stop) => stop())
    started = undefined
  }
  return {
    follow: async (listener) => {
      listeners.add(listener)
      const tell: Listener = (message) => listeners.forEach((each) => each(message))
      started ??= start(database, tell, log)
      try {
        await started
      } catch (error) {
        started = undefined
        listeners.delete(listener)
        throw error
      }
      return () => leave(listener)
    },
  }
}
