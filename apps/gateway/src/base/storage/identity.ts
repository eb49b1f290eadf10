import { randomBytes } from 'node:crypto'
import type { Database } from '../db/database.ts'
import { transact } from '../db/transact.ts'
import type { Events } from '../events/events.ts'
import { type Place, StorageProblem } from './storage.ts'

/** Knows whether a place is the one that the database's documents are stored in. */
export interface Identity {
  /**
   * Compares the marker of the place with the database. A place that is used for the first time gets a marker, if the
   * documents that the database knows are there.
   * @throws {StorageProblem} `displaced` when it is another place, or what the place answered
   */
  check: () => Promise<void>
  /** The same for a place that is only read: one that never had a marker is left as it is. */
  checkKnown: () => Promise<void>
}

interface IdentityParts {
  place: Place
  /** Whether a document is stored, there or in the other place. */
  exists: (key: string) => Promise<boolean>
  database: Database
  events: Pick<Events, 'storageAccepted'>
}

/** So many of the oldest and of the newest documents are looked for before a place gets its first marker. */
const sample = 5

/** Some of the documents that have to be there: those of sent and of received faxes that were not removed yet. */
async function knownDocuments({ db }: Database): Promise<string[]> {
  const sent = db.selectFrom('fax_jobs').select('document_key as key').where('document_key', 'is not', null)
  const received = db.selectFrom('inbound_faxes').select('pdf_key as key').where('pdf_key', 'is not', null)
  const ends = (['asc', 'desc'] as const).flatMap((order) => [
    sent.orderBy('created_at', order).limit(sample).execute(),
    received.orderBy('created_at', order).limit(sample).execute(),
  ])
  const rows = (await Promise.all(ends)).flat()
  return [...new Set(rows.flatMap(({ key }) => (key === null ? [] : [key])))]
}

/** A document or two may be gone for reasons of their own; where most are gone, it is another place. */
async function holdsDocuments({ database, exists }: IdentityParts): Promise<boolean> {
  const keys = await knownDocuments(database)
  const found = await Promise.all(keys.map((key) => exists(key)))
  return found.filter(Boolean).length * 2 >= keys.length
}

async function readKnown({ database, place }: IdentityParts): Promise<string | null | undefined> {
  const row = await database.db
    .selectFrom('storage_places')
    .select('id')
    .where('kind', '=', place.kind)
    .executeTakeFirst()
  return row && row.id
}

function displaced(place: Place, reason: string): StorageProblem {
  const sentence = `${place.name} is not where this installation keeps its documents: ${reason} Mount the right volume, or correct the settings, and faxes are accepted again.`
  return new StorageProblem('displaced', sentence)
}

const reasonOf = (found: string | undefined) =>
  found === undefined ? 'its marker "storage-id" is missing.' : 'its marker "storage-id" belongs to another place.'

/** The marker is written first: after a crash in between, the place is recognized by it. */
async function claim(parts: IdentityParts, known: null | undefined, found: string | undefined): Promise<string> {
  const { place, database, events } = parts
  if (known === undefined && !(await holdsDocuments(parts))) {
    throw displaced(place, 'the documents that the database knows are not there.')
  }
  const own = found ?? randomBytes(16).toString('hex')
  if (found === undefined) await place.writeId(own)
  const row = { kind: place.kind, id: own }
  const kept = await transact(database, async (tx) => {
    const written = await tx
      .insertInto('storage_places')
      .values(row)
      .onConflict((conflict) => conflict.column('kind').doUpdateSet(row).where('storage_places.id', 'is', null))
      .returning('id')
      .executeTakeFirst()
    if (written && known === null) await events.storageAccepted({ place: place.name }, tx)
    return written ?? tx.selectFrom('storage_places').select('id').where('kind', '=', place.kind).executeTakeFirst()
  })
  if (!kept?.id) throw new Error('The identity of the storage was not recorded.')
  // Another gateway was faster: its marker is the one that counts.
  if (kept.id !== own && found === undefined) await place.writeId(kept.id)
  else if (kept.id !== own) throw displaced(place, reasonOf(found))
  return kept.id
}

/** The identity of a place, remembered once it is known. Two processes that begin at once agree on one. */
export function createIdentity(parts: IdentityParts): Identity {
  const { place } = parts
  let id: string | undefined
  let claiming: Promise<string> | undefined
  const settle = async (found: string | undefined): Promise<string> => {
    const known = await readKnown(parts)
    if (typeof known !== 'string') return claim(parts, known, found)
    if (known !== found) throw displaced(place, reasonOf(found))
    return known
  }
  const isSame = async (): Promise<string | true | undefined> => {
    const found = await place.readId()
    return found !== undefined && found === id ? true : found
  }
  return {
    check: async () => {
      const found = await isSame()
      if (found === true) return
      // Somebody may have accepted the place since.
      id = await (claiming ??= settle(found).finally(() => (claiming = undefined)))
    },
    checkKnown: async () => {
      const found = await isSame()
      if (found === true) return
      const known = await readKnown(parts)
      if (typeof known === 'string' && known !== found) throw displaced(place, reasonOf(found))
    },
  }
}
