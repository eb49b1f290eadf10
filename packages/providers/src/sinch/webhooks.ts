import {
  parseJson,
  ProviderProblem,
  type ProviderSettings,
  readFields,
  verifyBasic,
  type Webhook,
  type WebhookHead,
  type WebhookOutcome,
  type WebhookRequest,
} from '@faxdeck/provider-kit'
import { readFax, updateOf } from './fax.ts'
import { incomingOf } from './received.ts'

const textOf = (value: ProviderSettings[string] | undefined) => (typeof value === 'string' ? value : null)
interface Notification {
  event: unknown
  fax: unknown
  file: Uint8Array | undefined
  /** Everything but the document. */
  rest: unknown
}

/** A document in Base64, as JSON carries it; undefined when there is none or it is empty. */
function decoded(file: unknown): Uint8Array | undefined {
  if (typeof file !== 'string') return undefined
  const bytes = Buffer.from(file, 'base64')
  return bytes.length > 0 ? bytes : undefined
}

/** JSON, or a form whose field `fax` is JSON and whose document is a part of its own. */
function read({ fields, files, body }: WebhookRequest): Notification {
  if (fields.length > 0) {
    const reported = Object.fromEntries(fields)
    const pushed = (files.find(({ name }) => name === 'file') ?? files[0])?.bytes
    const file = pushed?.length ? pushed : undefined
    const fax = parseJson(reported.fax ?? '')
    return { event: reported.event, fax, file, rest: { ...reported, fax } }
  }
  const json = parseJson(Buffer.from(body).toString('utf8'))
  const sent = readFields(json)
  if (!sent) throw new ProviderProblem('rejected', 'The notification of Sinch is neither JSON nor a form.')
  return {
    event: sent.value('event'),
    fax: sent.value('fax'),
    file: decoded(sent.value('file')) ?? decoded(readFields(sent.list('files')[0])?.value('file')),
    rest: { ...(json as object), file: undefined, files: undefined },
  }
}

/** @param isInbound whether the address is the one for received faxes: then what does not say otherwise is one */
function translate(request: WebhookRequest, isInbound: boolean): WebhookOutcome {
  const { event, fax: reported, file, rest } = read(request)
  const fax = readFax(reported)
  if (!fax) throw new ProviderProblem('rejected', 'The notification of Sinch names no fax.')
  const update = updateOf(fax)
  const attemptId = request.query.attempt ?? update.attemptId
  const direction = fax.direction.toUpperCase()
  const isSent = event === 'FAX_COMPLETED' || direction === 'OUTBOUND' || attemptId !== undefined
  if (event === 'INCOMING_FAX' || direction === 'INBOUND' || (isInbound && !isSent)) {
    const incoming = incomingOf(fax, file)
    return incoming ? { incoming: [{ ...incoming, notification: JSON.stringify(rest) }] } : {}
  }
  return { updates: [{ ...update, ...(attemptId === undefined ? {} : { attemptId }) }] }
}

/** Sinch does not sign: the user and the password in the registered address are its proof. */
const verify = (head: WebhookHead, settings: ProviderSettings): boolean =>
  verifyBasic(head, textOf(settings.sinch_inbound_basic_user), textOf(settings.sinch_inbound_basic_pass))

const proof = {
  takesFiles: true,
  proveHead: (head, settings) => (verify(head, settings) ? 'proved' : 'none'),
  verify,
} satisfies Partial<Webhook>

/** Where Sinch reports sent faxes and hands over received ones. Either address understands both. */
export const sinchWebhooks: readonly Webhook[] = [
  {
    path: '/sinch-inbound',
    name: 'received fax',
    purpose: 'inbound',
    contentTypes: ['multipart/form-data', 'application/json'],
    ...proof,
    translate: (request) => translate(request, true),
  },
  {
    path: '/sinch-callback',
    name: 'status callback',
    purpose: 'status',
    ...proof,
    translate: (request) => translate(request, false),
  },
]
