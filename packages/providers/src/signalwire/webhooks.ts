import {
  Fields,
  mayVerifySignalwire,
  ProviderProblem,
  type Webhook,
  type WebhookOutcome,
  type WebhookRequest,
} from '@faxdeck/provider-kit'
import { updateOf } from './fax.ts'
import { incomingOf } from './received.ts'
import { verify } from './verify.ts'

const path = '/signalwire-callback'

const xml = (verb: string) => ({
  status: 200,
  contentType: 'text/xml',
  body: `<?xml version="1.0" encoding="UTF-8"?><Response>${verb}</Response>`,
})

const escaped = (text: string) =>
  text.replace(/[<>&"]/g, (sign) => ({ '<': '&lt;', '>': '&gt;', '&': '&amp;', '"': '&quot;' })[sign] ?? sign)

/** A caller rings: takes the fax, and has it reported to this same address. */
function answerCall({ url }: WebhookRequest): WebhookOutcome {
  const action = new URL(url)
  action.search = '?received=1'
  return {
    answer: xml(`<Receive action="${escaped(action.href)}" method="POST" mediaType="application/pdf"/>`),
    answerWhenOff: xml('<Reject/>'),
  }
}

/** Reads a request of SignalWire: a call that comes in, a fax that has come in, or the outcome of one that was sent. */
function translate(request: WebhookRequest): WebhookOutcome {
  const field = (name: string) => request.fields.find(([each]) => each === name)?.[1] ?? ''
  const sid = field('FaxSid')
  if (sid === '') throw new ProviderProblem('rejected', 'The request names no fax.')
  const status = field('FaxStatus')
  const { attempt, received } = request.query
  const facts = {
    sid,
    status,
    to: field('To'),
    account: field('AccountSid'),
    pages: new Fields(Object.fromEntries(request.fields)).count('NumPages'),
    errorMessage: field('ErrorMessage'),
  }
  // A number may be set to report its faxes without having been asked to, or by a script of the operator.
  const isInbound = field('Direction') === 'inbound' || status === 'received'
  const isReported = isInbound && status !== '' && attempt === undefined
  if (received !== undefined || isReported) {
    const fax = { ...facts, from: field('From'), mediaUrl: field('MediaUrl') }
    const notification = Buffer.from(request.body).toString('utf8')
    return { incoming: incomingOf(fax).map((incoming) => ({ ...incoming, notification })) }
  }
  if (status === '') return answerCall(request)
  const documentUrl = field('OriginalMediaUrl')
  const known = { ...(attempt ? { attemptId: attempt } : {}), ...(documentUrl === '' ? {} : { documentUrl }) }
  return { updates: [{ ...updateOf(facts), ...known }] }
}

/** SignalWire asks and reports everything at one address. */
export const signalwireWebhooks: readonly Webhook[] = [
  {
    path,
    name: 'callback',
    purpose: 'both',
    proveHead: (head, { signalwire_webhook_signing_key: key }) =>
      mayVerifySignalwire(head, typeof key === 'string' ? key : null) ? 'pending' : 'none',
    verify,
    translate,
  },
]
