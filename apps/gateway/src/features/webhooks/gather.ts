import type { MessageEvent } from '@faxdeck/contract'
import type { WebhookDeliveryRow } from '../../base/db/tables/webhooks.ts'
import type { FaxJobRow } from '../../base/db/tables/tables.ts'
import type { AuditEntry } from '../../base/events/facts.ts'
import type { RecordingSink } from '../../base/events/events.ts'
import { holderOf } from '../../base/http/callers/keys.ts'
import { scopesOf } from '../../access/api-keys/verify.ts'
import { labelsOf } from '../../fax/facts/labels.ts'
import { isVisible, type VisibleFaxes, visibleFaxes } from '../../access/visible.ts'
import { readCodes } from '../../paper/page-text/codes.ts'
import { isTestLine } from '../../base/providers/test-line.ts'
import type { GatewayContext } from '../../base/context.ts'
import { messageOf, reportedEvents } from './message.ts'
import { newDelivery, postMessages } from './post.ts'
import type { Db } from './store.ts'

/** A webhook that is on, and what it may report on. */
export interface Audience {
  id: string
  events: readonly string[]
  visible: VisibleFaxes
  /** Whether it reports on received faxes. */
  receives: boolean
}

/**
 * The webhooks that are on. Those of a key report on what the key sees now, and of nothing once it has ended: what it could
 * not read itself it is not told.
 */
export async function readAudiences(tx: Db, now: Date): Promise<Audience[]> {
  const endpoints = await tx
    .selectFrom('webhook_endpoints')
    .select(['id', 'events', 'key_id'])
    .where('enabled', '=', 1)
    .execute()
  const owners = endpoints.flatMap(({ key_id: owner }) => owner ?? [])
  const keys = tx.selectFrom('api_keys').selectAll().where('revoked_at', 'is', null).where('key_id', 'in', owners)
  const rows = owners.length === 0 ? [] : await keys.execute()
  const holders = rows
    .filter((row) => row.expires_at === null || row.expires_at > now.toISOString())
    .map((row) => holderOf(row.key_id, new Set(scopesOf(row)), row.fax_access))
  return endpoints.flatMap(({ id, events, key_id: owner }): Audience[] => {
    const seen = { id, events: events.split(',') }
    if (owner === null) return [{ ...seen, visible: 'all', receives: true }]
    const holder = holders.find(({ keyId }) => keyId === owner)
    if (!holder || !holder.permissions.has('own_webhooks')) return []
    return [{ ...seen, visible: visibleFaxes(holder), receives: holder.permissions.has('list_received') }]
  })
}

type ReportedFax = Pick<FaxJobRow, 'id' | 'reference' | 'metadata' | 'caller_key_id' | 'group_id'>

async function readJobs(tx: Db, ids: readonly string[]): Promise<Map<string, ReportedFax>> {
  const jobs = tx.selectFrom('fax_jobs').select(['id', 'reference', 'metadata', 'caller_key_id', 'group_id'])
  const rows = ids.length === 0 ? [] : await jobs.where('id', 'in', ids).execute()
  return new Map(rows.map((row) => [row.id, row]))
}

/** Whether a webhook may report on an entry: of a fax that its key sees, or of one received if the key may list those. */
const mayTell = ({ visible, receives }: Audience, event: MessageEvent, job: ReportedFax | undefined): boolean =>
  event.startsWith('inbound.') ? receives : visible === 'all' || (job !== undefined && isVisible(visible, job))

const idOf = ({ job_id: id }: AuditEntry) => (typeof id === 'string' ? id : '')

/** The messages that entries of the trail are, for each webhook that is told of them, before the first try. */
export async function messagesFor(
  context: GatewayContext,
  db: Db,
  entries: readonly AuditEntry[],
  audiences: readonly Audience[],
): Promise<WebhookDeliveryRow[]> {
  const isTest = ({ test, backend }: AuditEntry) =>
    test === true || (typeof backend === 'string' && isTestLine(context.providers, backend))
  const wanted = new Set(audiences.flatMap(({ events }) => events))
  const reported = entries.filter((entry) => wanted.has(messageOf(entry, isTest(entry))?.event ?? ''))
  if (reported.length === 0) return []
  const ids = [...new Set(reported.map(idOf))]
  const [codes, jobs] = [await readCodes(db, ids), await readJobs(db, ids)]
  const at = context.now()
  return reported.flatMap((entry) => {
    const job = jobs.get(idOf(entry))
    const facts = { codes: codes.get(idOf(entry)), labels: job && labelsOf(job) }
    const message = messageOf(entry, isTest(entry), facts)
    if (!message) return []
    const seen = audiences.filter((each) => each.events.includes(message.event) && mayTell(each, message.event, job))
    return seen.map(({ id }) => newDelivery(id, message, at))
  })
}

/**
 * Puts messages on their way in the very transaction that records what they report on: neither can be without the other.
 */
export function gatherMessages(context: GatewayContext): RecordingSink {
  return async (tx, entries) => {
    if (!entries.some(({ event }) => reportedEvents.includes(event))) return
    const audiences = await readAudiences(tx, context.now())
    await postMessages(context, tx, await messagesFor(context, tx, entries, audiences))
  }
}
