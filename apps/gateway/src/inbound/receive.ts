import { createHash } from 'node:crypto'
import type { IncomingFax } from '@faxdeck/provider-kit'
import type { InboundFaxRow } from '../db/tables.ts'
import { transactTogether } from '../db/commit-group.ts'
import { markOf } from '../db/mark.ts'
import { newKey } from '../storage/keys.ts'
import type { InboundDoors } from './doors.ts'
import { inboundWork } from './doors.ts'
import type { Received } from './inbound.ts'
import { readInside } from './read-inside.ts'
import { findInbound, insertInbound } from './store.ts'

/** 8 KB of the notification are kept as evidence. */
const longestNotification = 8192

/** The same fax of the same provider has the same id, so that a repeat finds it. */
export function inboundId(provider: string, providerId: string): string {
  return createHash('sha256').update(`${provider}\0${providerId}`).digest('hex').slice(0, 32)
}

interface Arrival {
  id: string
  provider: string
  fax: IncomingFax
  /** Where its document is, when it was pushed. */
  stored: string | null
}

function newRow({ id, provider, fax, stored }: Arrival, now: Date): InboundFaxRow {
  const { document } = fax
  const announced = document !== null && 'fetch' in document
  const at = now.toISOString()
  return {
    id,
    provider,
    provider_id: fax.providerId,
    from_number: fax.from,
    to_number: fax.to,
    status: document === null ? 'failed' : 'waiting',
    pages: fax.pages,
    size_bytes: null,
    sha256: null,
    pdf_key: null,
    original_key: stored,
    source: announced ? document.fetch : null,
    notification: fax.notification?.slice(0, longestNotification) ?? null,
    error:
      fax.state === 'failed' || document === null
        ? (fax.sentence ?? 'The fax broke off before it was complete.')
        : null,
    is_test: fax.isTest ? 1 : 0,
    fetch_tries: 0,
    next_try_at: null,
    read_at: null,
    received_at: (fax.receivedAt ?? now).toISOString(),
    created_at: at,
    updated_at: at,
  }
}

/** Tells where it is kept; null when it was not pushed. */
async function keepPushedDocument(
  doors: InboundDoors,
  id: string,
  document: IncomingFax['document'],
): Promise<string | null> {
  if (document === null || 'fetch' in document) return null
  const bytes = 'bytes' in document ? document.bytes : await readInside(doors.settings().fax_data_dir, document.path)
  const key = newKey('inbound', id, await markOf(doors.database), 'original')
  await doors.storage.put(key, bytes)
  return key
}

/**
 * Records an incoming fax: a document that was pushed is stored first, then the fax commits as waiting together with
 * the work that will finish it. A repeat changes nothing. Undefined while receiving is off.
 */
export async function receiveFax(
  doors: InboundDoors,
  provider: string,
  fax: IncomingFax,
): Promise<Received | undefined> {
  if (!doors.settings().inbound_enabled) return undefined
  const id = inboundId(provider, fax.providerId)
  if (await findInbound(doors.database.db, id)) return { id, repeat: true }
  const stored = await keepPushedDocument(doors, id, fax.document)
  const now = doors.now?.() ?? new Date()
  const row = newRow({ id, provider, fax, stored }, now)
  const isNew = await transactTogether(doors.database, async (tx) => {
    if (!(await insertInbound(tx, row))) return false
    if (row.status === 'waiting') {
      await doors.queue.enqueue(tx, [{ kind: inboundWork, subjectId: id, lane: inboundWork, dueAt: now }])
    } else {
      await doors.events.inboundFailed({ job_id: id, backend: provider, error: row.error }, tx)
    }
    await doors.database.signals.tell(tx, 'inbound')
    return true
  })
  if (!isNew && stored !== null) await doors.storage.remove(stored)
  return { id, repeat: !isNew }
}
