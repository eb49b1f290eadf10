import type { Leavings } from '@faxdeck/contract'
import type { Kysely } from 'kysely'
import type { Tx } from './db/database.ts'
import type { Tables } from './db/tables/tables.ts'

/** What keys and people set up that could let them in again, or send data to them. */
export type SetUp = Pick<Leavings, 'settings' | 'plugins' | 'webhooks'>

/** Keys and people that end. */
export interface KeyEnding {
  /** By the ids under which they act. */
  ids: readonly string[]
  /** These, and the keys that were revoked before: what one of them saved is not put back. */
  ended: ReadonlySet<string>
  /** Who ends them. */
  by: string
  now: Date
}

/** What a room has of keys and people, and how it is taken back. */
interface Held<T> {
  find: (db: Kysely<Tables> | Tx, ids: readonly string[]) => Promise<T[]>
  /** Takes back what was found, if anything, and records it. */
  takeBack: (tx: Tx, held: readonly T[], ending: KeyEnding) => Promise<void>
}

/**
 * What happens in one room and concerns others. A feature answers when it is created; whoever causes a moment waits for
 * each answer in the transaction of the change, so that an answer that throws refuses the change.
 */
export interface Moments {
  /** The token of a key or person is replaced, or ends. */
  tokenEnded: ((tx: Tx, actorId: string) => Promise<void>)[]
  /** Keys and people end, by what is held of them. */
  keyEnded: { [Name in keyof SetUp]?: Held<SetUp[Name][number]> }
  /** A group is about to be deleted. */
  groupEnds: ((tx: Tx, group: { id: string; name: string }) => Promise<void>)[]
}

export const createMoments = (): Moments => ({ tokenEnded: [], keyEnded: {}, groupEnds: [] })
