import { setImmediate as breathe } from 'node:timers/promises'
import type { Database } from '../../base/db/database.ts'
import type { MissingDocuments } from '../../base/storage/missing.ts'
import type { Storage } from '../../base/storage/storage.ts'
import { type TrailWatch, watchTrail } from '../../base/events/watch-trail.ts'

interface DocumentLook {
  /** Looked for by this process, until now. */
  looked: number
  missing: number
  /** The fax that the first one missing belongs to: "received fax 3f…". */
  example: string | null
}

/** Looks for the documents that the database says are kept, a bounded number at a time. */
export interface DocumentWatch {
  /** The newest, those known to be missing, and some more. @throws {StorageProblem} when the storage cannot say */
  look: (signal?: AbortSignal) => Promise<DocumentLook>
  /** Many more: for times when nobody waits. */
  walk: () => Promise<void>
}

interface Kept {
  id: string
  keys: string[]
}
type Kind = 'sent' | 'received'

const newest = 50
const atOnce = 100
const side = 8
const atLook = 5
const atWalk = 100
const knownAtLook = 200

function referencesIn({ db }: Database) {
  const sent = db.selectFrom('fax_jobs').select(['id', 'document_key as key']).where('document_key', 'is not', null)
  const received = db
    .selectFrom('inbound_faxes')
    .select(['id', 'pdf_key as key', 'original_key as other'])
    .where('pdf_key', 'is not', null)
  const ofReceived = (rows: Awaited<ReturnType<typeof received.execute>>): Kept[] =>
    rows.map(({ id, key, other }) => ({ id, keys: [key, other].flatMap((each) => each ?? []) }))
  const ofSent = (rows: Awaited<ReturnType<typeof sent.execute>>): Kept[] =>
    rows.map(({ id, key }) => ({ id, keys: key === null ? [] : [key] }))
  return {
    newest: {
      sent: async () => ofSent(await sent.orderBy('created_at', 'desc').limit(newest).execute()),
      received: async () => ofReceived(await received.orderBy('received_at', 'desc').limit(newest).execute()),
    },
    after: {
      sent: async (id: string) => ofSent(await sent.where('id', '>', id).orderBy('id').limit(atOnce).execute()),
      received: async (id: string) =>
        ofReceived(await received.where('id', '>', id).orderBy('id').limit(atOnce).execute()),
    },
    /** Asked again once something is missing: it may just have been removed in good order. */
    isReferenced: async (kind: Kind, id: string, key: string) => {
      const rows = kind === 'sent' ? ofSent(await sent.where('id', '=', id).execute()) : []
      const others = kind === 'received' ? ofReceived(await received.where('id', '=', id).execute()) : []
      return [...rows, ...others].some(({ keys }) => keys.includes(key))
    },
  }
}

interface Parts {
  database: Database
  storage: Storage
  missing: MissingDocuments
}

/** Looks for single documents, and remembers of which fax those are that were not found. */
function createSearch({ database, storage, missing }: Parts) {
  const kept = referencesIn(database)
  const owners = new Map<string, { kind: Kind; id: string }>()
  const lookFor = async (kind: Kind, id: string, key: string): Promise<void> => {
    const gone = !(await storage.exists(key)) && (await kept.isReferenced(kind, id, key))
    if (gone) {
      missing.note(key)
      owners.set(key, { kind, id })
    } else {
      missing.forget(key)
      owners.delete(key)
    }
  }
  return {
    kept,
    lookFor,
    lookAgain: async (): Promise<void> => {
      for (const key of missing.keys().slice(0, knownAtLook)) {
        const owner = owners.get(key)
        // One that was met at a download: its fax is not known here, and is found by the walk.
        if (owner) await lookFor(owner.kind, owner.id, key)
        else if (await storage.exists(key)) missing.forget(key)
      }
    },
    example: (): string | null => {
      const [first] = missing.keys()
      const owner = first === undefined ? undefined : owners.get(first)
      return owner ? `${owner.kind === 'sent' ? 'fax' : 'received fax'} ${owner.id}` : null
    },
  }
}

/** Watches the documents of a database. What it remembers is of this process. */
function watchDocuments(parts: Parts): DocumentWatch {
  const { kept, lookFor, lookAgain, example } = createSearch(parts)
  const cursors: Record<Kind, string> = { sent: '', received: '' }
  let looked = 0
  const lookForAll = async (kind: Kind, faxes: readonly Kept[]): Promise<void> => {
    const wanted = faxes.flatMap(({ id, keys }) => keys.map((key) => ({ id, key })))
    for (let from = 0; from < wanted.length; from += side) {
      await Promise.all(wanted.slice(from, from + side).map(({ id, key }) => lookFor(kind, id, key)))
    }
  }
  const goOn = async (pages: number, signal?: AbortSignal): Promise<void> => {
    for (const kind of ['received', 'sent'] as const) {
      for (let page = 0; page < pages && !signal?.aborted; page++) {
        await breathe()
        const faxes = await kept.after[kind](cursors[kind])
        await lookForAll(kind, faxes)
        looked += faxes.length
        cursors[kind] = faxes.length < atOnce ? '' : (faxes.at(-1)?.id ?? '')
        if (cursors[kind] === '') break
      }
    }
  }
  return {
    look: async (signal) => {
      await lookAgain()
      await lookForAll('received', await kept.newest.received())
      await lookForAll('sent', await kept.newest.sent())
      await goOn(atLook, signal)
      return { looked, missing: parts.missing.keys().length, example: example() }
    },
    walk: () => goOn(atWalk),
  }
}

/** Whether what was kept is still there and unchanged: looked at in pieces, here and by the hour. */
export interface Integrity {
  trail: TrailWatch
  documents: DocumentWatch
  /** Goes on where it stopped, for a while. */
  walk: () => Promise<void>
}

interface IntegrityParts {
  database: Database
  storage: Storage
  missing: MissingDocuments
}

export function watchIntegrity(parts: IntegrityParts): Integrity {
  const trail = watchTrail(parts.database)
  const documents = watchDocuments(parts)
  return {
    trail,
    documents,
    walk: async () => {
      await trail.walk()
      await documents.walk()
    },
  }
}
