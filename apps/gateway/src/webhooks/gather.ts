import type { RecordingSink } from '../events/events.ts'
import { isTestLine } from '../providers/test-line.ts'
import type { GatewayContext } from '../context.ts'
import { messageOf } from './message.ts'
import { readCodes } from '../page-text/codes.ts'
import { newDelivery, postMessages } from './post.ts'

/**
 * Puts messages on their way in the very transaction that records what they tell of: neither can be without the other.
 */
export function gatherMessages(context: GatewayContext): RecordingSink {
  const isTest = (backend: string) => isTestLine(context.providers, backend)
  return async (tx, entries) => {
    if (!entries.some((entry) => messageOf(entry, isTest))) return
    const endpoints = await tx
      .selectFrom('webhook_endpoints')
      .select(['id', 'events'])
      .where('enabled', '=', 1)
      .execute()
    if (endpoints.length === 0) return
    const subjects = entries.flatMap(({ job_id: id }) => (typeof id === 'string' ? [id] : []))
    const codes = await readCodes(tx, subjects)
    const messages = entries.flatMap((entry) => messageOf(entry, isTest, codes.get(String(entry.job_id))) ?? [])
    const at = context.now()
    const rows = messages.flatMap((message) =>
      endpoints
        .filter(({ events }) => events.split(',').includes(message.event))
        .map(({ id }) => newDelivery(id, message, at)),
    )
    await postMessages(context, tx, rows)
  }
}
