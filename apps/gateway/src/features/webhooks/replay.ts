import type { Handlers } from '../../base/http/handler.ts'
import type { GatewayContext } from '../../base/context.ts'
import { transact } from '../../base/db/transact.ts'
import type { WebhookDeliveryRow } from '../../base/db/tables/webhooks.ts'
import { entriesSince } from '../../base/events/trail.ts'
import { Problem } from '../../base/http/answers/problem.ts'
import { messagesFor, readAudiences } from './gather.ts'
import { reportedEvents } from './message.ts'
import { postMessages, workOn } from './post.ts'
import { type Db, deliveriesSince } from './store.ts'

const minuteMs = 60_000
const longestBackMs = 30 * 24 * 60 * minuteMs
/** A call whose answer was lost is repeated within it, and then sends nothing twice. */
const repeatMs = 10 * minuteMs
const maxReplayed = 1000
const maxScanned = 20_000
const atOnce = 500
const perSecond = 5

export interface ReplayWish {
  since: string
  messages: 'all' | 'failed'
}

/** What is read of a message that is recorded: the bodies of a month are too much to hold. */
type Recorded = Pick<WebhookDeliveryRow, 'id' | 'state' | 'replayed_at'>

interface Plan {
  /** Messages that are recorded: they go out again. */
  again: Recorded[]
  /** Messages that nobody recorded, for the webhook was off. */
  missed: WebhookDeliveryRow[]
  skipped: number
  nextSince: string | null
}

/** What a message is about. Those of older releases have another id. */
function nameOf({ event, subject_id: subject, body }: WebhookDeliveryRow): string {
  const { timestamp } = JSON.parse(body) as { timestamp: string }
  return `${event} ${subject} ${timestamp}`
}

const happenedAt = ({ body }: WebhookDeliveryRow) => (JSON.parse(body) as { timestamp: string }).timestamp

const sinceOf = ({ since }: ReplayWish, now: Date): string =>
  new Date(Math.max(Date.parse(since), now.getTime() - longestBackMs)).toISOString()

/** Sorts messages into what is sent again, what is sent for the first time, and what is left alone. */
class Sorting {
  readonly plan: Plan = { again: [], missed: [], skipped: 0, nextSince: null }
  readonly #known: ReadonlyMap<string, Recorded>
  readonly #wish: ReplayWish
  readonly #before: string

  constructor(known: ReadonlyMap<string, Recorded>, wish: ReplayWish, now: Date) {
    this.#known = known
    this.#wish = wish
    this.#before = new Date(now.getTime() - repeatMs).toISOString()
  }

  /** Whether there was room for it. */
  add(message: WebhookDeliveryRow): boolean {
    const { again, missed } = this.plan
    const known = this.#known.get(nameOf(message))
    if (known?.state === 'delivered' && this.#wish.messages === 'failed') return true
    if (known?.state === 'pending' || (known?.replayed_at ?? '') > this.#before) {
      this.plan.skipped += 1
      return true
    }
    if (again.length + missed.length >= maxReplayed) {
      this.plan.nextSince = happenedAt(message)
      return false
    }
    if (known) again.push(known)
    else missed.push(message)
    return true
  }
}

async function recordedSince(db: Db, endpointId: string, since: string): Promise<Map<string, Recorded>> {
  const known = new Map<string, Recorded>()
  for await (const rows of deliveriesSince(db, endpointId, since)) {
    for (const row of rows) {
      const { id, state, replayed_at } = row
      known.set(nameOf(row), { id, state, replayed_at })
    }
  }
  return known
}

async function plan(context: GatewayContext, endpointId: string, wish: ReplayWish, now: Date): Promise<Plan> {
  const { db } = context.database
  const audiences = (await readAudiences(db, now)).filter(({ id }) => id === endpointId)
  if (audiences.length === 0)
    throw new Problem('conflict', 'The key of this webhook was revoked or has expired, so nothing is sent to it.')
  const sorting = new Sorting(await recordedSince(db, endpointId, wish.since), wish, now)
  let scanned = 0
  for await (const entries of entriesSince(context.database, wish.since, reportedEvents, atOnce)) {
    const messages = await messagesFor(context, db, entries, audiences)
    if (!messages.every((message) => sorting.add(message))) break
    scanned += entries.length
    if (scanned < maxScanned) continue
    sorting.plan.nextSince = entries.at(-1)?.ts ?? null
    break
  }
  return sorting.plan
}

/** Puts what was planned on its way, five messages a second. @returns how many there were */
async function carryOut(context: GatewayContext, { again, missed }: Plan, now: Date): Promise<number> {
  const replayed_at = now.toISOString()
  const places = new Map([...again, ...missed].map(({ id }, index) => [id, index]))
  const dueAt = ({ id }: { id: string }) =>
    new Date(now.getTime() + Math.floor((places.get(id) ?? 0) / perSecond) * 1000)
  return transact(context.database, async (tx) => {
    let queued = 0
    for (let from = 0; from < again.length; from += atOnce) {
      const ids = again.slice(from, from + atOnce).map(({ id }) => id)
      // Somebody else may have replayed one meanwhile.
      const changed = await tx
        .updateTable('webhook_deliveries')
        .set({ state: 'pending', tries: 0, next_try_at: replayed_at, replayed_at })
        .where('id', 'in', ids)
        .where('state', '!=', 'pending')
        .where((eb) => eb.or([eb('replayed_at', 'is', null), eb('replayed_at', '<', replayed_at)]))
        .returning(['id', 'endpoint_id'])
        .execute()
      const works = changed.map((row) => workOn(row, dueAt(row)))
      await context.queue.enqueue(tx, works)
      queued += changed.length
    }
    const rows = missed.map((row) => ({ ...row, replayed_at }))
    queued += await postMessages(context, tx, rows, dueAt)
    if (queued > 0) await context.database.signals.notify(tx, 'webhooks')
    return queued
  })
}

/**
 * Sends a webhook everything since a time again, and what it was not sent because it was off.
 * @throws {Problem} `conflict` where the webhook may be told nothing
 */
export async function replaySince(
  context: GatewayContext,
  endpointId: string,
  wish: ReplayWish,
): Promise<Awaited<ReturnType<Handlers['replayWebhook']>>> {
  const now = context.now()
  const since = sinceOf(wish, now)
  const found = await plan(context, endpointId, { ...wish, since }, now)
  const queued = await carryOut(context, found, now)
  const meanwhile = found.again.length + found.missed.length - queued
  return { since, queued, skipped: found.skipped + meanwhile, next_since: found.nextSince }
}
