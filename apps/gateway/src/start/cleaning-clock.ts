import { randomBytes } from 'node:crypto'
import type { GatewayContext } from '../base/context.ts'
import type { Database } from '../base/db/database.ts'
import { readCleaning } from '../paper/retention/rules.ts'

const minute = 60_000
const day = 24 * 60 * minute
/** Clocks that agree are closer than this, and so is a clock that is only set right by NTP. */
const stepMs = minute
/** No gateway that runs leaves its audit trail alone for so long. */
const maxGapMs = 7 * day
const entriesLookedAt = 1000

interface Parts extends Pick<GatewayContext, 'database' | 'providers' | 'now'> {
  /** Milliseconds that pass, whatever becomes of the clock. */
  steady?: (() => number) | undefined
}

interface Look {
  own: number
  steady: number
  believed: number
  /** How often somebody had said what time it is. */
  no: number
}

interface Setback {
  id: string
  from: number
}

const iso = (ms: number) => new Date(ms).toISOString()

/** Where the audit trail goes on evenly for the last time, where no gateway has looked at the clock before. */
async function lastEven({ db }: Database, own: number): Promise<number> {
  const newest = db.selectFrom('audit_events').select('ts').orderBy('seq', 'desc').limit(entriesLookedAt)
  const times = (await newest.execute()).map(({ ts }) => Date.parse(ts)).toReversed()
  const jump = times.findIndex((at, index) => Math.abs(at - (times[index - 1] ?? at)) > maxGapMs)
  return Math.min(own, times.at(jump === -1 ? -1 : jump - 1) ?? own)
}

/**
 * The time that deletions go by: no later than it really is. It counts the time that Faxdeck has seen pass and follows
 * the clocks of providers, or a person, but never this machine's own clock forward, which may have been set wrong. What a
 * clock that was behind has stamped is remembered, so that it does not look old once the clock is right.
 */
export class CleaningClock {
  readonly #parts: Parts
  readonly #steady: () => number
  #last: Look | undefined
  #setback: Setback | undefined
  #looking: Promise<number> | undefined

  constructor(parts: Parts) {
    this.#parts = parts
    this.#steady = parts.steady ?? (() => performance.now())
  }

  /** Looks at the clocks, and keeps what is believed now. @returns the time that deletions go by */
  look(): Promise<number> {
    return (this.#looking ??= this.#look().finally(() => (this.#looking = undefined)))
  }

  /** Looks at once when the clock was set since the last look: what it stamps until then would not be remembered. Cheap. */
  async glance(): Promise<void> {
    if (!this.#last) return
    const { own, steady } = this.#last
    const step = this.#parts.now().getTime() - own - (this.#steady() - steady)
    if (Math.abs(step) > stepMs) await this.look()
  }

  async #look(): Promise<number> {
    const { database, now } = this.#parts
    const state = await readCleaning(database.db)
    const [own, steady] = [now().getTime(), this.#steady()]
    const stored = state.believed_at === null ? await lastEven(database, own) : Date.parse(state.believed_at)
    const last = this.#last
    const passed = last ? Math.max(0, steady - last.steady) : 0
    const counted = last?.no === state.believed_no ? Math.max(stored, last.believed + passed) : stored
    const shown = this.#shownByOthers()
    const isTold = shown !== undefined && Math.abs(shown - counted) > stepMs
    const believed = isTold ? shown : counted
    const no = state.believed_no + (isTold ? 1 : 0)
    const change = { believed_at: iso(believed), believed_no: no }
    await database.db
      .updateTable('cleaning_state')
      .set(change)
      .where('believed_no', '=', state.believed_no)
      .$if(!isTold, (query) =>
        query.where((eb) => eb.or([eb('believed_at', 'is', null), eb('believed_at', '<', iso(believed))])),
      )
      .execute()
    // Before the first look the clock may have been behind for as long as nobody looked.
    await this.#watchSetback({ own, believed, passed: last ? passed : Math.max(0, believed - stored) })
    this.#last = { own, steady, believed, no }
    return Math.min(own, believed)
  }

  /** The earliest of the times that providers show. */
  #shownByOthers(): number | undefined {
    const { providers } = this.#parts
    const shown = providers.providers.flatMap(({ id }) => providers.clock(id)?.now.getTime() ?? [])
    return shown.length === 0 ? undefined : Math.min(...shown)
  }

  /** Every step of a clock that is behind ends one stretch and may begin another. */
  async #watchSetback({ own, believed, passed }: { own: number; believed: number; passed: number }): Promise<void> {
    const { db } = this.#parts.database
    const isBehind = believed - own > stepMs
    const hasStepped = this.#last !== undefined && Math.abs(own - this.#last.own - passed) > stepMs
    if (this.#setback && hasStepped) this.#setback = undefined
    else if (this.#setback && !isBehind) {
      // Not the clock was wrong, but what was believed.
      await db.deleteFrom('clock_setbacks').where('id', '=', this.#setback.id).execute()
      this.#setback = undefined
    }
    if (!isBehind) return
    this.#setback ??= { id: randomBytes(6).toString('hex'), from: own - passed - stepMs }
    const { id, from } = this.#setback
    // It may go on until the next look, or end at any moment before.
    const row = { from_at: iso(from), to_at: iso(own + 2 * lookEveryMs), ended_at: iso(believed + 2 * lookEveryMs) }
    await db
      .insertInto('clock_setbacks')
      .values({ id, ...row })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
      .execute()
  }
}

/** Between two looks, time that passes is lost when the process dies. */
export const lookEveryMs = minute
/** Between two glances, what a clock stamps that was set is not remembered when the process dies. */
export const glanceEveryMs = 1000
