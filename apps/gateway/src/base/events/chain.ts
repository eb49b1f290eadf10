import { hash } from 'node:crypto'
import { maskNumber } from '@faxdeck/contract/phone'
import type { Reader, Tx } from '../db/database.ts'
import { insertAll } from '../db/insert-all.ts'
import type { AuditEventRow, AuditHeadRow } from '../db/tables/tables.ts'
import type { AuditEntry } from './facts.ts'

/** An entry of the chain, by its number and its hash. */
export type ChainHead = Pick<AuditHeadRow, 'seq' | 'hash'>

/** An event that is about to be recorded. */
export interface Happening {
  ts: string
  event: string
  facts: object
}

const numberFacts = new Set(['to', 'to_number', 'from', 'from_number', 'fr'])

function masked([fact, value]: [string, unknown]): [string, unknown] {
  if (typeof value !== 'string') return [fact, value]
  if (numberFacts.has(fact)) return [fact, maskNumber(value)]
  return [fact, fact === 'error' ? value.replace(/\d{6,}/g, '***') : value]
}

/** Knows the people and keys that act, which this floor does not. */
export interface ActorNames {
  /** Their names by the ids they act under; ids without a name are left out. */
  read: (db: Reader, ids: readonly string[]) => Promise<ReadonlyMap<string, string>>
  /** The ids of those who are or were called so, by part of a name in lower case. */
  find: (db: Reader, word: string) => Promise<string[]>
}

/** Facts that are an id of somebody who acted, and the fact with their name. */
const namedFacts: Readonly<Record<string, string>> = {
  key_id: 'key_name',
  by: 'by_name',
  asked_by: 'asked_by_name',
  person: 'person_name',
}

const actorsOf = (facts: Readonly<Record<string, unknown>>): [fact: string, actor: string][] =>
  Object.entries(namedFacts).flatMap(([fact, named]) => {
    const id = facts[fact]
    // An entry about a person has their name already; in one about a group, the name is the group's.
    const isNamed = named in facts || (fact === 'person' && 'name' in facts && !('group' in facts))
    if (typeof id !== 'string' || isNamed) return []
    return [[named, fact === 'person' ? `person:${id}` : id]]
  })

/** Adds to facts the names of those whose ids are in them, as they are called now. */
export async function withNames<Facts extends object>(
  names: ActorNames | undefined,
  db: Reader,
  all: readonly Facts[],
): Promise<Facts[]> {
  const found = all.map((facts) => ({ facts, actors: actorsOf(facts as Record<string, unknown>) }))
  const ids = [...new Set(found.flatMap(({ actors }) => actors.map(([, id]) => id)))]
  const known = names && ids.length > 0 ? await names.read(db, ids) : new Map<string, string>()
  return found.map(({ facts, actors }) => {
    const named = actors.flatMap(([fact, id]) => (known.has(id) ? [[fact, known.get(id)] as const] : []))
    return named.length === 0 ? facts : { ...facts, ...Object.fromEntries(named) }
  })
}

const textOrNull = (value: unknown) => (typeof value === 'string' ? value : null)

/** A stored event as it is shown. */
export function entryOf({ ts, event, fields }: Pick<AuditEventRow, 'ts' | 'event' | 'fields'>): AuditEntry {
  return { ts, event, ...(JSON.parse(fields) as object) }
}

/** The hash of an event: over the one before it, its place, its time, its name and its facts. */
export function hashOf(row: Omit<AuditEventRow, 'hash' | 'job_id' | 'key_id' | 'backend'>): string {
  const { prev_hash: previous, seq, ts, event, fields } = row
  return hash('sha256', [previous, seq, ts, event, fields].join('\n'))
}

/** Locks the end of the chain and takes its next places: the last of them, and the hash that the first one follows. */
async function takePlaces(tx: Tx, count: number): Promise<ChainHead> {
  const end = tx.updateTable('audit_head').set((eb) => ({ seq: eb('seq', '+', count) }))
  const head = await end.where('id', '=', 1).returning(['seq', 'hash']).executeTakeFirst()
  if (!head) throw new Error('The record of the newest audit entry is missing.')
  return head
}

interface Appended {
  entries: AuditEntry[]
  /** What they follow, and the last of them. */
  before: ChainHead
  head: ChainHead
}

/**
 * Appends events to the chain, in order, each with the names of those who acted. The chain's end stays locked until the
 * transaction ends, so that two processes cannot both follow the same event.
 * @returns the entries as stored, and where they stand in the chain
 */
export async function appendToChain(tx: Tx, happenings: readonly Happening[], names?: ActorNames): Promise<Appended> {
  // Names are read before the end of the chain is locked.
  const named = await withNames(
    names,
    tx,
    happenings.map(({ facts }) => facts),
  )
  const head = await takePlaces(tx, happenings.length)
  let previous = head.hash
  const rows = happenings.map(({ ts, event }, index): AuditEventRow => {
    const facts = named[index] ?? {}
    const seq = head.seq - happenings.length + index + 1
    const fields = JSON.stringify(Object.fromEntries(Object.entries(facts).map(masked)))
    const body = { seq, ts, event, fields, prev_hash: previous }
    previous = hashOf(body)
    const { job_id, key_id, backend } = facts as Partial<Record<string, unknown>>
    return {
      ...body,
      hash: previous,
      job_id: textOrNull(job_id),
      key_id: textOrNull(key_id),
      backend: textOrNull(backend),
    }
  })
  await insertAll(tx, 'audit_events', rows)
  await tx.updateTable('audit_head').set({ hash: previous }).where('id', '=', 1).execute()
  const before = { seq: head.seq - happenings.length, hash: head.hash }
  return { entries: rows.map(entryOf), before, head: { seq: head.seq, hash: previous } }
}
