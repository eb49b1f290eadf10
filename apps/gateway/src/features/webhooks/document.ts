import type { InboundContent } from '@faxdeck/contract'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { GatewayContext } from '../../base/context.ts'
import type { InboundFaxRow } from '../../base/db/tables/inbound.ts'
import type { WebhookDeliveryRow } from '../../base/db/tables/webhooks.ts'
import { Problem } from '../../base/http/answers/problem.ts'
import type { Handlers } from '../../base/http/handler.ts'
import { SealBroken } from '../../base/settings/seal.ts'
import { openPdf } from '../../inbox/inbound/download.ts'
import { type Audience, mayTellOf, readAudiences } from './gather.ts'

/** Long enough for a receiver that puts its messages in a queue; each try of a message has a link of its own. */
const linkMs = 3_600_000
/** Larger documents are sent as a link: a message is made in memory, and receivers limit what they take. */
const maxAttached = 5 * 1024 * 1024

/** Not stored: a link that was sent stops working when the master key is changed. */
const sealName = (faxId: string) => `document link ${faxId}`

/** Whether a webhook is sent the documents of received faxes, or links to them. */
export const bringsDocument = (content: InboundContent | undefined): boolean =>
  content === 'link' || content === 'document'

/** The webhook, if it is on and may bring the document of this fax now. */
async function bringerOf(
  { database, now }: GatewayContext,
  id: string,
  fax: InboundFaxRow,
): Promise<Audience | undefined> {
  const audience = (await readAudiences(database.db, now())).find((each) => each.id === id)
  const may = audience && bringsDocument(audience.content) && audience.mayRead && mayTellOf(audience, fax)
  return may ? audience : undefined
}

const findFax = ({ database }: GatewayContext, id: string): Promise<InboundFaxRow | undefined> =>
  database.db.selectFrom('inbound_faxes').selectAll().where('id', '=', id).executeTakeFirst()

/** The token of a link opens one fax for one webhook until a time; nothing of it is stored. */
function linkTo({ settings, now }: GatewayContext, { id }: InboundFaxRow, webhookId: string) {
  const until = new Date(now().getTime() + linkMs)
  const token = settings.seals.seal(sealName(id), `${webhookId} ${until.getTime()}`)
  const address = settings.current().public_api_url.replace(/\/$/, '')
  return { url: `${address}/received/${id}/linked?token=${token}`, expires_at: until.toISOString() }
}

/** The webhook that a link was sent by. @throws {Problem} `token_refused` */
function readLink({ settings, now }: GatewayContext, faxId: string, token: string): string {
  try {
    const [webhook = '', until] = settings.seals.unseal(sealName(faxId), token).split(' ')
    if (now().getTime() < Number(until)) return webhook
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error
  }
  throw new Problem('token_refused')
}

async function attached(context: GatewayContext, fax: InboundFaxRow, { id, keyId }: Audience) {
  const content = await openPdf(context, fax, keyId, id)
  const bytes = content instanceof Readable ? await buffer(content) : Buffer.from(content)
  return bytes.length > maxAttached ? linkTo(context, fax, id) : { content: bytes.toString('base64') }
}

/**
 * The body of a message as it is sent now: with the link or the document that its webhook asks for, which are not stored
 * with it. A document that was removed meanwhile is left out.
 */
export async function bodyToSend(
  context: GatewayContext,
  { event, subject_id: faxId, endpoint_id: endpointId, body }: WebhookDeliveryRow,
  asked: InboundContent,
): Promise<string> {
  if (!event.startsWith('inbound.') || !bringsDocument(asked)) return body
  const fax = await findFax(context, faxId)
  const bringer = fax && (await bringerOf(context, endpointId, fax))
  if (!bringer || fax.pdf_key === null || context.storage.isMissing?.(fax.pdf_key) === true) return body
  const brought = asked === 'link' ? linkTo(context, fax, endpointId) : await attached(context, fax, bringer)
  const message = JSON.parse(body) as { data: object }
  const document = { content_type: 'application/pdf', ...brought }
  return JSON.stringify({ ...message, data: { ...message.data, document } })
}

/** The call behind the links. It needs no key: whoever has the link was sent it. */
export function linkHandlers(context: GatewayContext) {
  return {
    getLinkedReceived: async ({ params: { id }, query: { token } }) => {
      if (!context.settings.current().inbound_enabled) throw new Problem('inbound_disabled')
      const webhook = readLink(context, id, token)
      const fax = await findFax(context, id)
      const bringer = fax && (await bringerOf(context, webhook, fax))
      if (!bringer) throw new Problem('token_refused')
      return { content: await openPdf(context, fax, bringer.keyId, webhook), fileName: `received_${id}.pdf` }
    },
  } satisfies Partial<Handlers>
}
