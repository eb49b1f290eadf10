import type { FaxView, FaxViewKind } from '@faxdeck/contract'
import { isReadableReceived, requireReadable } from '../../access/visible.ts'
import type { GatewayContext } from '../../base/context.ts'
import type { Caller } from '../../base/http/handler.ts'

const kinds: Readonly<Record<string, FaxViewKind>> = {
  document_viewed: 'opened',
  admin_pdf_download: 'downloaded',
  inbound_pdf_served: 'downloaded',
  document_printed: 'printed',
}
const maxViews = 500

interface ViewFacts {
  key_id?: string
  key_name?: string
  size?: string
}

/** Who saw the document of a fax, newest first. A thumbnail is no view, by whatever word it was recorded. */
export async function listFaxViews({ database, events, settings }: GatewayContext, id: string) {
  const rows = await database.db
    .selectFrom('audit_events')
    .select(['ts', 'event', 'fields'])
    .where('job_id', '=', id)
    .where('event', 'in', Object.keys(kinds))
    .where('fields', 'not like', '%"size":"thumbnail"%')
    .orderBy('seq', 'desc')
    .limit(maxViews)
    .execute()
  const facts = await events.named(rows.map(({ fields }) => JSON.parse(fields) as ViewFacts))
  const views = rows.map(({ ts, event }, index): FaxView => {
    const { key_id = '', key_name: name = null, size } = facts[index] ?? {}
    const how = size === 'excerpt' ? 'found' : (kinds[event] ?? 'opened')
    return { at: ts, how, key_id, name }
  })
  return { views, recorded: settings.current().audit_document_views }
}

/** Records that somebody prints a fax that they may read. @throws {Problem} `fax_not_found` */
export async function notePrint({ database, events, settings }: GatewayContext, id: string, caller: Caller) {
  const faxes = database.db.selectFrom('inbound_faxes').select(['id', 'group_id', 'to_number']).where('id', '=', id)
  const received = await faxes.executeTakeFirst()
  if (!received || !isReadableReceived(caller, received)) await requireReadable(database, id, caller)
  if (settings.current().audit_document_views) await events.documentPrinted({ job_id: id, key_id: caller.keyId })
}
