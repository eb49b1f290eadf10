import { type InboundEvent, inboundEventTypes } from '@faxdeck/contract'
import { visibleReceived } from '../../access/visible.ts'
import type { AuditEntry } from '../../base/events/facts.ts'
import type { FollowedFax, FollowedKind } from '../../fax/follow/kinds.ts'
import { presentReceived } from './received.ts'
import { findInbounds } from './store.ts'

function typeOf({ event, status }: AuditEntry): InboundEvent['type'] | undefined {
  switch (event) {
    case 'inbound_received':
      return 'inbound.received'
    case 'inbound_failed':
      return 'inbound.failed'
    case 'inbound_fetch_failed':
      return status === 'failed' ? 'inbound.failed' : undefined
    case 'inbound_text_read':
    case 'inbound_settled':
      return 'inbound.updated'
    default:
      return undefined
  }
}

/** Received faxes, as programs follow them. */
export const receivedFaxes: FollowedKind = {
  prefix: 'inbound',
  types: inboundEventTypes,
  permission: 'list_received',
  table: 'inbound_faxes',
  names: ['inbound_received', 'inbound_failed', 'inbound_fetch_failed', 'inbound_text_read', 'inbound_settled'],
  typeOf,
  visible: visibleReceived,
  read: async (context, ids) => {
    const rows = await findInbounds(context.database.db, ids)
    const faxes = await presentReceived(context, rows, true)
    return new Map(
      faxes.map((fax, at) => {
        const owned = rows[at] ?? { group_id: null }
        const present: FollowedFax['present'] = (permissions) =>
          permissions.has('read_received') ? fax : { ...fax, codes: [] }
        return [fax.id, { owned, present }]
      }),
    )
  },
}
