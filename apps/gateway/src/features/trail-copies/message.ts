import type { AuditEventRow, AuditHeadRow } from '../../base/db/tables/tables.ts'

type Entry = Pick<AuditEventRow, 'seq' | 'ts' | 'event' | 'fields' | 'prev_hash' | 'hash'>
type Head = Pick<AuditHeadRow, 'seq' | 'hash'>

/** One line of a copy. */
export interface TrailMessage {
  seq: number
  ts: string
  event: string
  /** One line of JSON. */
  json: string
}

/** An entry with everything that its hash is made of: `facts`, written as JSON without spaces, is what was hashed. */
export const entryMessage = ({ seq, ts, event, fields, prev_hash, hash }: Entry): TrailMessage => ({
  ...{ seq, ts, event },
  json: JSON.stringify({ seq, ts, event, facts: JSON.parse(fields) as object, prev_hash, hash }),
})

/** Names the newest entry: with it, a later cut can be proved. @param at ISO 8601 */
export const anchorMessage = ({ seq, hash }: Head, at: string): TrailMessage => ({
  ...{ seq, ts: at, event: 'trail_anchor' },
  json: JSON.stringify({ anchor: { seq, hash }, ts: at }),
})

interface Cut {
  /** The first entry that is known to be missing or different, as it was. */
  misfit: Head
  /** The newest entry of the database. */
  newest: Head
  /** Up to which entry the database is known to have what it had. */
  fits: number
}

/** Says that the database no longer has what was copied or recorded before. */
export const cutMessage = (cut: Cut, at: string): TrailMessage => ({
  ...{ seq: cut.misfit.seq, ts: at, event: 'trail_cut' },
  json: JSON.stringify({ cut, ts: at }),
})

/** A place outside that takes messages. */
export interface TrailSink {
  name: 'syslog' | 'webhook' | 'file'
  target: string
  /** Resolves once the place certainly has them. @throws an error whose message is a sentence */
  send: (messages: readonly TrailMessage[], signal: AbortSignal) => Promise<void>
}
