import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { connect } from '../base/db/connect.ts'
import type { Database } from '../base/db/database.ts'
import { Events } from '../base/events/events.ts'
import { expireFaxes } from '../fax/expire.ts'
import type { ProviderAccess } from '../base/providers/access.ts'
import { announceDeletions } from '../paper/retention/announce.ts'
import { confirmClock, pauseDeletions, resumeDeletions } from '../paper/retention/feature.ts'
import { deskStart, faxDesk } from '../testing/fax-desk.ts'
import { makeLine } from '../testing/made-line.ts'
import { writeMigrated } from '../testing/migrated-file.ts'
import { fixedSettings } from '../testing/test-context.ts'
import { CleaningClock } from './cleaning-clock.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const keptDays = 30

type Act =
  | { act: 'set'; byDays: number }
  | { act: 'fax' | 'record' | 'right' }
  | { act: 'restart'; offHours: number; crash: boolean }
  | { act: 'pass'; hours: number }

/** A gateway whose clock can be set, in a world that knows what time it really is. */
class World {
  trueMs = deskStart
  stepMs = 0
  /** When each fax really ended. */
  readonly ended = new Map<string, number>()
  readonly #database: Database
  readonly #hasProvider: boolean
  readonly #desk: Awaited<ReturnType<typeof faxDesk>>
  #clock!: CleaningClock
  #startedMs = 0
  #n = 0

  constructor(database: Database, desk: Awaited<ReturnType<typeof faxDesk>>, hasProvider: boolean) {
    this.#database = database
    this.#hasProvider = hasProvider
    this.#desk = desk
  }

  now = () => new Date(this.trueMs + this.stepMs)

  get context() {
    const settings = fixedSettings({ artifact_ttl_days: keptDays, inbound_retention_days: keptDays })
    const own = { settings, now: this.now, events: new Events(this.#database, this.now) }
    return new Proxy(this.#desk.context, {
      get: (given, name) => Reflect.get(name in own ? own : given, name) as unknown,
    })
  }

  async start() {
    const begun = (this.#startedMs = this.trueMs)
    const clock = () => this.#hasProvider && { now: new Date(this.trueMs), aheadMs: 0, ageMs: 0 }
    const providers = { providers: [{ id: 'made' }], clock: () => clock() || undefined } as unknown as ProviderAccess
    this.#clock = new CleaningClock({
      database: this.#database,
      providers,
      now: this.now,
      steady: () => this.trueMs - begun,
    })
    await this.#clock.look()
  }

  /** Time passes while the gateway runs: looks and cleans, closer together at first. */
  async pass(hours: number) {
    const until = this.trueMs + hours * hour
    this.trueMs += minute
    await this.#clock.look()
    for (let span = hour; this.trueMs < until; span = Math.min(12 * hour, span * 2)) {
      this.trueMs = Math.min(until, this.trueMs + span)
      const at = new Date(await this.#clock.look())
      if (this.trueMs - this.#startedMs < hour) continue
      const context = { ...this.#parts(), now: () => at }
      await announceDeletions(context)
      await expireFaxes(context)
    }
  }

  #parts() {
    const { database, events, settings, storage, directory } = this.context
    return { ...this.context, database, events, settings, storage, directory }
  }

  /** A clock stays as it is for a second at least, until the next glance. */
  async #set(act: Act) {
    this.trueMs += minute
    await this.#clock.look()
    this.stepMs = act.act === 'set' ? this.stepMs + act.byDays * day : 0
    this.trueMs += 1000
    await this.#clock.glance()
  }

  async do(act: Act) {
    if (act.act === 'set' || act.act === 'right') await this.#set(act)
    if (act.act === 'record') await this.context.events.databaseRestored({ as_of: this.now().toISOString() })
    if (act.act === 'fax') await this.fax()
    if (act.act === 'pass') await this.pass(act.hours)
    if (act.act !== 'restart') return
    if (!act.crash) await this.#clock.look()
    this.trueMs += act.offHours * hour
    await this.start()
  }

  async fax() {
    const id = (++this.#n).toString(16).padStart(32, '0')
    await this.#desk.submit({ id, document_key: `faxes/${id}/x.txt` })
    const ended = { phase: 'delivered', status: 'SUCCESS', finished_at: this.now().toISOString() } as const
    await this.#database.db.updateTable('fax_jobs').set(ended).where('id', '=', id).execute()
    this.ended.set(id, this.trueMs)
  }

  async gone(): Promise<string[]> {
    const rows = await this.#database.db.selectFrom('fax_jobs').select('id').where('document_key', 'is', null).execute()
    return rows.map(({ id }) => id)
  }

  /** Faxes whose documents an honest clock would still keep. */
  async lost(): Promise<string[]> {
    return (await this.gone()).filter((id) => this.trueMs - (this.ended.get(id) ?? 0) < keptDays * day)
  }
}

async function withWorld<T>(hasProvider: boolean, work: (world: World) => Promise<T>): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), 'faxdeck-clock-'))
  await writeMigrated(join(directory, 'faxdeck.db'))
  const database = await connect(`sqlite:${directory}/faxdeck.db`)
  try {
    const world = new World(database, await faxDesk(database, makeLine()), hasProvider)
    await world.start()
    return await work(world)
  } finally {
    await database.close()
    await rm(directory, { recursive: true, force: true })
  }
}

const acts = fc.array(
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({
        act: fc.constant('set' as const),
        byDays: fc.constantFrom(-400, -40, -8, -1, 1, 6, 8, 40, 400),
      }),
    },
    { weight: 2, arbitrary: fc.record({ act: fc.constantFrom('fax' as const, 'record' as const, 'right' as const) }) },
    {
      weight: 2,
      arbitrary: fc.record({
        act: fc.constant('restart' as const),
        offHours: fc.constantFrom(0, 1, 30, 21 * 24),
        crash: fc.boolean(),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({ act: fc.constant('pass' as const), hours: fc.constantFrom(1, 3, 30, 200, 800) }),
    },
  ),
  { minLength: 2, maxLength: 14 },
)
const isLong = process.env.FAXDECK_LONG !== undefined

it.each([false, true])(
  'a fax of a second after the clock was set back outlives a crash and a long pause (%s)',
  async (has) => {
    await withWorld(has, async (world) => {
      await world.do({ act: 'set', byDays: -400 })
      await world.fax()
      await world.do({ act: 'restart', offHours: 21 * 24, crash: true })
      await world.do({ act: 'set', byDays: 400 })
      await world.pass(200)
      expect(await world.lost()).toEqual([])
    })
  },
)

describe('a clock that is set wrong and right again, in every order with faxes, records and restarts', () => {
  it.each([false, true])(
    'loses no document that an honest clock would keep (a provider shows the time: %s)',
    async (has) => {
      let gone = 0
      const check = fc.asyncProperty(acts, async (history) => {
        await withWorld(has, async (world) => {
          await world.fax()
          for (const act of history) {
            await world.do(act)
            expect(await world.lost()).toEqual([])
          }
          gone += (await world.gone()).length
        })
      })
      await fc.assert(check, { numRuns: isLong ? 400 : 25 })
      // Or it would prove nothing.
      expect(gone).toBeGreaterThan(0)
    },
    isLong ? 3_600_000 : 120_000,
  )
})

const fax: Act = { act: 'fax' }
const right: Act = { act: 'right' }
const record: Act = { act: 'record' }
const set = (byDays: number): Act => ({ act: 'set', byDays })
const pass = (hours: number): Act => ({ act: 'pass', hours })
const restart = (crash = false): Act => ({ act: 'restart', offHours: 0, crash })

describe('a document is kept', () => {
  it.each<[string, Act[]]>([
    [
      'when the clock jumps, something is recorded, and the gateway starts anew',
      [fax, set(40), record, restart(), pass(72)],
    ],
    ['when the clock jumps, a fax is sent, and the gateway starts anew', [fax, set(40), fax, restart(true), pass(72)]],
    [
      'when the gateway starts twice with a clock that is ahead',
      [fax, set(40), restart(), record, restart(), pass(72)],
    ],
    [
      'when the clock is set right and jumps again',
      [fax, set(40), record, right, restart(), set(40), restart(), pass(72)],
    ],
    ['when the clock that stamped it was behind, and is set right', [set(-40), pass(1), fax, pass(1), right, pass(72)]],
    [
      'when the clock was behind, and was set right while nothing ran',
      [set(-40), fax, restart(), right, restart(), pass(72)],
    ],
    ['when the clock was behind, then less', [set(-400), pass(1), fax, pass(1), set(360), pass(1), right, pass(72)]],
  ])('%s', (_what, history) =>
    withWorld(false, async (world) => {
      await world.pass(3)
      for (const act of history) await world.do(act)
      expect(await world.gone()).toEqual([])
    }),
  )
})

describe('documents that are past their time', () => {
  it('go within the hours of a clock that is right, however often the gateway is started anew', () =>
    withWorld(false, async (world) => {
      await world.fax()
      for (let n = 0; n < 29; n += 1) {
        await world.pass(24)
        await world.do({ act: 'restart', offHours: 0.05, crash: n % 2 === 0 })
      }
      expect(await world.gone()).toHaveLength(0)
      await world.pass(24 + 14)
      expect(await world.gone()).toHaveLength(1)
    }))

  it('go after three weeks in which nothing ran, a day after that was announced, once a provider shows the time', () =>
    withWorld(true, async (world) => {
      await world.fax()
      await world.pass(15 * 24)
      await world.do({ act: 'restart', offHours: 21 * 24, crash: false })
      await world.pass(20)
      expect(await world.gone()).toHaveLength(0)
      await world.pass(20)
      expect(await world.gone()).toHaveLength(1)
    }))

  it('go three weeks later where nobody shows the time, or when a person says that the clock is right', () =>
    withWorld(false, async (world) => {
      await world.fax()
      await world.pass(15 * 24)
      await world.do({ act: 'restart', offHours: 21 * 24, crash: false })
      await world.pass(14 * 24)
      expect(await world.gone()).toHaveLength(0)
      await world.pass(3 * 24)
      expect(await world.gone()).toHaveLength(1)
      await world.fax()
      await world.pass(15 * 24)
      await world.do({ act: 'restart', offHours: 21 * 24, crash: false })
      await confirmClock(world.context, 'bootstrap')
      await world.pass(40)
      expect(await world.gone()).toHaveLength(2)
    }))

  it('go in time although the first clock was a year ahead', () =>
    withWorld(false, async (world) => {
      await world.do(set(400))
      await world.do(restart())
      await world.do(right)
      await world.pass(1)
      await world.fax()
      await world.pass(31 * 24)
      expect(await world.gone()).toHaveLength(1)
    }))

  it('stay while a person has paused deletions, and for another day after that', () =>
    withWorld(true, async (world) => {
      await world.fax()
      await world.pass(15 * 24)
      await world.do({ act: 'restart', offHours: 21 * 24, crash: false })
      await world.pass(20)
      await pauseDeletions(world.context, 'bootstrap')
      await world.pass(200)
      expect(await world.gone()).toHaveLength(0)
      await resumeDeletions(world.context, 'bootstrap')
      await world.pass(20)
      expect(await world.gone()).toHaveLength(0)
      await world.pass(20)
      expect(await world.gone()).toHaveLength(1)
    }))
})
