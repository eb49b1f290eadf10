import {
  ProviderProblem,
  type ProviderSettings,
  verifyBasic,
  type Webhook,
  type WebhookHead,
  type WebhookOutcome,
  type WebhookRequest,
} from '@faxdeck/provider-kit'
import { incomingOf, readFax, updateOf } from './fax.ts'

const textOf = (value: ProviderSettings[string] | undefined) => (typeof value === 'string' ? value : null)
const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

interface Notification {
  event: unknown
  fax: unknown
  file: Uint8Array | undefined
  /** Everything but the document. */
  rest: unknown
}

/** A document in Base64, as JSON carries it; undefined when it is empty or none. */
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
    return {
      event: reported.event,
      fax: parsed(reported.fax ?? ''),
      file,
      rest: { ...reported, fax: parsed(reported.fax ?? '') },
    }
  }
  const json = parsed(Buffer.from(body).toString('utf8'))
  if (!isObject(json)) throw new ProviderProblem('rejected', 'The notification of Sinch is neither JSON nor a form.')
  const { file, files: older, ...rest } = json
  const first: unknown = Array.isArray(older) ? older[0] : undefined
  return {
    event: json.event,
    fax: json.fax,
    file: decoded(file) ?? decoded(isObject(first) ? first.file : undefined),
    rest,
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
