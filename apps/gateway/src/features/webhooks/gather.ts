import type { InboundContent, MessageEvent } from '@faxdeck/contract'
import type { WebhookDeliveryRow } from '../../base/db/tables/webhooks.ts'
import type { FaxJobRow } from '../../base/db/tables/tables.ts'
import type { AuditEntry } from '../../base/events/facts.ts'
import type { RecordingSink } from '../../base/events/events.ts'
import type { InboundFaxRow } from '../../base/db/tables/inbound.ts'
import { heldBy } from '../../access/api-keys/verify.ts'
import { namesOfGroups } from '../../access/groups/group-of.ts'
import { labelsOf } from '../../fax/facts/labels.ts'
import { isVisible, type VisibleFaxes, visibleFaxes, visibleReceived } from '../../access/visible.ts'
import { readCodes } from '../../paper/page-text/codes.ts'
import { isTestLine } from '../../base/providers/test-line.ts'
import type { GatewayContext } from '../../base/context.ts'
import { messageOf, type ReceivedDetails, reportedEvents } from './message.ts'
import { newDelivery, postMessages } from './post.ts'
import type { Db } from './store.ts'

/** A webhook that is on, and what it may report on. */
export interface Audience {
  id: string
  events: readonly string[]
  visible: VisibleFaxes
  /** The received faxes it reports on; undefined for none. */
  received: VisibleFaxes | undefined
  /** Whether it may know what is on the pages of received faxes. */
  mayRead: boolean
  content: InboundContent
  /** Whose it is: the key, or `webhook` for one of the installation. */
  keyId: string
}

/**
 * The webhooks that are on. Those of a key report on what the key sees now, and of nothing once it has ended: what it could
 * not read itself it is not told.
 */
export async function readAudiences(tx: Db, now: Date): Promise<Audience[]> {
  const endpoints = await tx
    .selectFrom('webhook_endpoints')
    .select(['id', 'events', 'inbound_content', 'key_id'])
    .where('enabled', '=', 1)
    .execute()
  const owners = endpoints.flatMap(({ key_id: owner }) => owner ?? [])
  const keys = tx.selectFrom('api_keys').selectAll().where('revoked_at', 'is', null).where('key_id', 'in', owners)
  const rows = owners.length === 0 ? [] : await keys.execute()
  const holders = rows.filter((row) => row.expires_at === null || row.expires_at > now.toISOString()).map(heldBy)
  return endpoints.flatMap(({ id, events, inbound_content: content, key_id: owner }): Audience[] => {
    const seen = { id, events: events.split(','), content }
    if (owner === null) return [{ ...seen, visible: 'all', received: 'all', mayRead: true, keyId: 'webhook' }]
    const holder = holders.find(({ keyId }) => keyId === owner)
    if (!holder || !holder.permissions.has('own_webhooks')) return []
    const received = holder.permissions.has('list_received') ? visibleReceived(holder) : undefined
    const mayRead = holder.permissions.has('read_received')
    return [{ ...seen, visible: visibleFaxes(holder), received, mayRead, keyId: owner }]
  })
}

type ReportedFax = Pick<FaxJobRow, 'id' | 'reference' | 'metadata' | 'caller_key_id' | 'group_id'>

async function readJobs(tx: Db, ids: readonly string[]): Promise<Map<string, ReportedFax>> {
  const jobs = tx.selectFrom('fax_jobs').select(['id', 'reference', 'metadata', 'caller_key_id', 'group_id'])
  const rows = ids.length === 0 ? [] : await jobs.where('id', 'in', ids).execute()
  return new Map(rows.map((row) => [row.id, row]))
}

const receivedColumns = ['id', 'from_number', 'to_number', 'group_id', 'received_at', 'is_test'] as const
type ReportedReceived = Pick<InboundFaxRow, (typeof receivedColumns)[number]> & { group: ReceivedDetails['group'] }

async function readReceived(tx: Db, ids: readonly string[]): Promise<Map<string, ReportedReceived>> {
  const faxes = tx.selectFrom('inbound_faxes').select(receivedColumns)
  const rows = ids.length === 0 ? [] : await faxes.where('id', 'in', ids).execute()
  const names = await namesOfGroups(
    tx,
    rows.map(({ group_id: id }) => id),
  )
  return new Map(
    rows.map((row) => {
      const name = row.group_id === null ? undefined : names.get(row.group_id)
      return [row.id, { ...row, group: name === undefined ? null : { id: row.group_id ?? '', name } }]
    }),
  )
}

const isOfReceived = (event: MessageEvent) => event.startsWith('inbound.')

/** What a webhook is sent of a received fax beside its id. */
const detailsFor = ({ content }: Audience, fax: ReportedReceived | undefined): ReceivedDetails | undefined =>
  fax && content !== 'id'
    ? { from: fax.from_number, to: fax.to_number, group: fax.group, received_at: fax.received_at }
    : undefined

/** Whether a webhook may report on a received fax: one that its key sees, if the key may list those. */
export const mayTellOf = (
  { received }: Pick<Audience, 'received'>,
  fax: Pick<InboundFaxRow, 'group_id' | 'to_number'>,
) => received !== undefined && isVisible(received, fax)

/** Whether a webhook may report on a fax that was sent: of one that its key sees. */
const mayTellOfSent = ({ visible }: Audience, job: ReportedFax | undefined): boolean =>
  visible === 'all' || (job !== undefined && isVisible(visible, job))

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
  const [codes, jobs, received] = [await readCodes(db, ids), await readJobs(db, ids), await readReceived(db, ids)]
  const at = context.now()
  return reported.flatMap((entry) => {
    const job = jobs.get(idOf(entry))
    const fax = received.get(idOf(entry))
    const test = isTest(entry) || fax?.is_test === 1
    return audiences.flatMap((each) => {
      const facts = { labels: job && labelsOf(job), details: detailsFor(each, fax) }
      const codesToo = job || each.mayRead ? codes.get(idOf(entry)) : undefined
      const message = messageOf(entry, test, { ...facts, codes: codesToo })
      if (!message || !each.events.includes(message.event)) return []
      const mayTell = isOfReceived(message.event)
        ? each.received === 'all' || (fax !== undefined && mayTellOf(each, fax))
        : mayTellOfSent(each, job)
      return mayTell ? [newDelivery(each.id, message, at)] : []
    })
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
