import type { Tx } from '../../base/db/database.ts'
import type { RecordingSink } from '../../base/events/events.ts'
import type { AuditEntry } from '../../base/events/facts.ts'
import { backgroundLane, type Queue } from '../../base/queue/queue.ts'
import type { GatewayContext } from '../../base/context.ts'
import { factsOfReceived } from './fold.ts'
import { insertPages, newPage } from './store.ts'

/** Queued work that reads the text of a fax. */
export const pageTextWork = 'page_text'

const atOnce = 500

/** Lets faxes be read when there is time; those that wait for it already do so once. */
export async function enqueueReading(queue: Queue, tx: Tx, ids: readonly string[]): Promise<void> {
  for (let from = 0; from < ids.length; from += atOnce) {
    const some = ids.slice(from, from + atOnce)
    const rows = await tx
      .selectFrom('queue')
      .select('subject_id')
      .where('kind', '=', pageTextWork)
      .where('subject_id', 'in', some)
      .execute()
    const waiting = new Set(rows.map(({ subject_id: id }) => id))
    const works = some
      .filter((id) => !waiting.has(id))
      .map((subjectId) => ({ kind: pageTextWork, subjectId, lane: backgroundLane }))
    if (works.length > 0) await queue.enqueue(tx, works)
  }
}

const received: readonly unknown[] = ['inbound_received', 'inbound_failed']

/** A fax that arrives is found by its numbers at once, however many wait to be read before it. */
async function indexNumbers(tx: Tx, ids: readonly string[]): Promise<void> {
  const faxes = tx.selectFrom('inbound_faxes').select(['id', 'from_number', 'to_number']).where('id', 'in', ids)
  const rows = (await faxes.execute()).map((fax) => newPage(fax.id, 0, undefined, { facts: factsOfReceived(fax) }))
  await insertPages(tx, 'received', rows)
}

/** Every fax that is accepted or received is to be read, and is so with the very transaction that records it. */
export function gatherReadings({ queue }: GatewayContext): RecordingSink {
  return async (tx, entries) => {
    const broadcasts = new Set<unknown>()
    // The document of a broadcast is read once, with its first fax.
    const isReadBefore = ({ broadcast_id: of }: AuditEntry) =>
      of !== undefined && broadcasts.size === broadcasts.add(of).size
    const idsOf = (events: readonly unknown[]) =>
      entries.flatMap((entry) => {
        const { event, job_id: id } = entry
        return events.includes(event) && typeof id === 'string' && !isReadBefore(entry) ? [id] : []
      })
    const fresh = idsOf(['job_created'])
    // A new job has no work yet: nothing needs to be asked.
    const works = fresh.map((subjectId) => ({ kind: pageTextWork, subjectId, lane: backgroundLane }))
    if (works.length > 0) await queue.enqueue(tx, works)
    const arrived = [...new Set(idsOf(received))]
    if (arrived.length === 0) return
    await enqueueReading(queue, tx, arrived)
    await indexNumbers(tx, arrived)
  }
}
