import { faxStream } from '@faxdeck/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { GatewayContext } from '../../base/context.ts'
import type { TrailEntry } from '../../base/events/trail.ts'
import { setBudgetHeaders } from '../../base/http/callers/budget.ts'
import { type EventSource, type EventWriter, serveEvents, type StreamLimits } from '../../base/http/event-stream.ts'
import type { Guards } from '../../base/http/callers/guards.ts'
import { Problem } from '../../base/http/answers/problem.ts'
import type { Caller } from '../../base/http/handler.ts'
import { eventsOf, type Following, placeOf, readMissed } from './events.ts'
import { type FollowedKind, sentFaxes } from './kinds.ts'

const atOnce = 200
const usual = { max: 256, maxPerKey: 16 }
const resetText =
  'event: reset\ndata: {"detail":"The Last-Event-ID is unknown or older than a day. Read the list of faxes; events continue from now."}'

/** Writes what happens, and before it what was missed, each once and in order. */
class FaxFeed {
  readonly #context: GatewayContext
  readonly #following: Following
  readonly #waiting: (readonly TrailEntry[])[] = []
  #place: number
  #writer: EventWriter | undefined
  #turn = Promise.resolve()
  #stopped = false

  /** @param place the last entry that the reader has seen; everything that is heard is new to others */
  constructor(context: GatewayContext, following: Following, place = 0) {
    this.#context = context
    this.#following = following
    this.#place = place
  }

  /** Entries that have just been recorded. */
  hear(entries: readonly TrailEntry[]): void {
    if (this.#writer) this.#next(() => this.#write(entries))
    else this.#waiting.push(entries)
  }

  begin(writer: EventWriter, missed: 'none' | 'known' | 'unknown'): void {
    this.#writer = writer
    if (missed === 'unknown') writer.write(resetText)
    if (missed === 'known') this.#next(() => this.#replay())
    for (const entries of this.#waiting.splice(0)) this.#next(() => this.#write(entries))
  }

  stop(): void {
    this.#stopped = true
  }

  #next(work: () => Promise<void>): void {
    const failed = (error: unknown) => {
      this.#context.log.error({ err: error }, 'Events of faxes could not be sent to a program.')
      this.#stopped = true
      this.#writer?.end()
    }
    this.#turn = this.#turn.then(() => (this.#stopped ? undefined : work())).catch(failed)
  }

  async #replay(): Promise<void> {
    for (let more = true; more && !this.#stopped;) {
      const entries = await readMissed(this.#context, this.#place, this.#following, atOnce)
      await this.#write(entries)
      more = entries.length === atOnce
    }
  }

  async #write(entries: readonly TrailEntry[]): Promise<void> {
    for (const { event, seq } of await eventsOf(this.#context, entries, this.#following)) {
      if (this.#stopped || seq <= this.#place) continue
      this.#writer?.write(`id: ${event.id}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}`)
      await this.#writer?.drained()
    }
    this.#place = Math.max(this.#place, entries.at(-1)?.seq ?? 0)
  }
}

/** The kinds and types that a reader asks for, those of sent faxes unless they say. @throws {Problem} `bad_request` */
function askedFor(request: FastifyRequest, known: readonly FollowedKind[]): Omit<Following, 'reader'> {
  const asked = (request.query as { types?: string | string[] }).types
  if (asked === undefined) return { kinds: [sentFaxes] }
  const given = [asked].flat().flatMap((each) => each.split(',').map((type) => type.trim()))
  const types = given.flatMap((type) => {
    const found = known.flatMap((kind) => kind.types.filter((each) => each === type || type === `${kind.prefix}.*`))
    if (found.length > 0) return found
    const all = known.flatMap(({ prefix, types: each }) => [`${prefix}.*`, ...each])
    throw new Problem('bad_request', `There are no events of the type "${type.slice(0, 40)}". Use ${all.join(', ')}.`)
  })
  return { kinds: known.filter((kind) => kind.types.some((type) => types.includes(type))), types: new Set(types) }
}

/**
 * GET /fax/events: what happens to the faxes that a key sees, as server-sent events that can be resumed.
 * @param kinds what can be followed
 */
export function serveFaxEvents(
  app: FastifyInstance,
  guards: Guards,
  context: GatewayContext,
  kinds: readonly FollowedKind[],
  limits: StreamLimits = usual,
): void {
  const admit = async (request: FastifyRequest): Promise<Caller> => {
    const [first = sentFaxes, ...others] = askedFor(request, kinds).kinds
    const caller = await guards.admit(first.permission, request, guards.originOf(request))
    for (const { permission } of others) await guards.admit(permission, request, guards.originOf(request))
    return caller
  }
  serveEvents(app, guards, {
    ...usual,
    ...limits,
    path: faxStream.path,
    full: 'Too many event streams are open, in total or for this key. Close one, or try again shortly.',
    admit,
    count: (caller, reply) => guards.countCall(faxStream.rate, caller, (budget) => setBudgetHeaders(reply, budget)),
    open: async (request, caller): Promise<EventSource> => {
      const following = { reader: caller, ...askedFor(request, kinds) }
      const last = request.headers['last-event-id']
      const seen = typeof last === 'string' && last !== '' ? await placeOf(context, last, following) : undefined
      const feed = new FaxFeed(context, following, seen)
      const unfollow = await context.trail.follow((entries) => feed.hear(entries))
      const missed = seen !== undefined ? 'known' : last ? 'unknown' : 'none'
      return {
        begin: (writer) => feed.begin(writer, missed),
        stop: () => {
          feed.stop()
          unfollow()
        },
      }
    },
  })
}
