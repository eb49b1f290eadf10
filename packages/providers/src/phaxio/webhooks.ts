import {
  hasValue,
  type HeadProof,
  mayVerifyPhaxio,
  parseJson,
  ProviderProblem,
  type ProviderSettings,
  type StatusUpdate,
  type Webhook,
  type WebhookHead,
  type WebhookOutcome,
  type WebhookRequest,
  verifyPhaxio,
} from '@faxdeck/provider-kit'
import { attemptOf, type PhaxioFax, readFax, updateOf } from './fax.ts'
import { incomingOf } from './received.ts'

const tokenOf = ({ phaxio_callback_token: token }: ProviderSettings) => (typeof token === 'string' ? token : null)

/** The request under the address of its own that the account may give for status callbacks; that is the one Phaxio signed. */
function asRegistered(request: WebhookRequest, own: ProviderSettings[string]): WebhookRequest {
  if (typeof own !== 'string' || own === '') return request
  const url = new URL(own)
  for (const [name, value] of Object.entries(request.query)) if (value !== undefined) url.searchParams.set(name, value)
  return { ...request, url: url.href }
}

/** The fax object: a JSON text in the field `fax`, or, from older accounts, spread over fields named `fax[status]`, or `status`. */
function faxOf(fields: WebhookRequest['fields']): PhaxioFax {
  const whole = fields.find(([name]) => name === 'fax')
  const spread = fields.flatMap(([name, value]) => {
    const key = /^fax\[(\w+)\]$/.exec(name)?.[1]
    return key === undefined ? [] : [[key, value] as const]
  })
  const reported = spread.length > 0 ? spread : fields
  const fax = readFax(whole ? parseJson(whole[1]) : Object.fromEntries(reported))
  if (fax) return fax
  throw new ProviderProblem('rejected', 'The callback of Phaxio names no fax.')
}

const contradictedReceipt = {
  state: 'unclear',
  sentence: 'Phaxio reported both a success and a failure of this fax. It may be incomplete.',
} as const

/** A report on a fax that is under way must not be taken for its end. */
const underWay = /^(transmitting_page|retry_scheduled)$/

/** Beside the fax stands whether it was a test, and whether it succeeded. A success must be one in both places. */
function withFlags(update: StatusUpdate, { is_test, success }: Partial<Record<string, string>>): StatusUpdate {
  const known = is_test === 'true' ? { ...update, isTest: true } : update
  if (update.state !== 'delivered' || success !== 'false') return known
  const sentence = 'Phaxio reported both a success and a failure. It’s unknown whether the fax arrived.'
  return { ...known, state: 'failed', kind: 'uncertain', sentence }
}

/** @param usual which way a fax went that does not say so itself */
function translate({ fields, files, query }: WebhookRequest, usual: 'sent' | 'received'): WebhookOutcome {
  const fax = faxOf(fields)
  const reported = Object.fromEntries(fields)
  const isOurs = (query.attempt ?? attemptOf(fax)) !== undefined
  const direction = (reported.direction || fax.direction).toLowerCase()
  if (direction === 'received' || (usual === 'received' && direction !== 'sent' && !isOurs)) {
    const pdf = files.find(({ name }) => name === 'file') ?? files[0]
    const incoming = incomingOf(fax, pdf?.bytes.length ? pdf.bytes : undefined)
    if (!incoming) return {}
    const isTest = incoming.isTest === true || reported.is_test === 'true'
    const isContradicted = incoming.state === 'received' && reported.success === 'false'
    const ending = isContradicted ? contradictedReceipt : {}
    return { incoming: [{ ...incoming, ...ending, isTest, notification: JSON.stringify(reported) }] }
  }
  const update = withFlags(updateOf(fax), reported)
  const attemptId = query.attempt ?? update.attemptId
  const known = { ...update, ...(attemptId === undefined ? {} : { attemptId }) }
  if (!underWay.test(reported.event_type ?? '')) return { updates: [known] }
  const { providerId, word, reference, to, isTest } = known
  const isOnItsWay = { providerId, attemptId, reference, to, word, state: 'in_progress' } as const
  return { updates: [isTest === undefined ? isOnItsWay : { ...isOnItsWay, isTest }] }
}

/** The signature covers the body. Where a person switched it off, any request may come once the account is set up. */
function proveHead(head: WebhookHead, settings: ProviderSettings, isSigned: boolean): HeadProof {
  const may = isSigned ? mayVerifyPhaxio(head, tokenOf(settings)) : hasValue(settings, 'phaxio_api_key')
  return may ? 'pending' : 'none'
}

/** Where Phaxio reports sent faxes and hands over received ones. Either address understands both. */
export const phaxioWebhooks: readonly Webhook[] = [
  {
    path: '/phaxio-callback',
    name: 'status callback',
    purpose: 'status',
    takesFiles: true,
    proveHead: (head, settings) => proveHead(head, settings, settings.phaxio_verify_signature !== false),
    verify: (request, settings) =>
      settings.phaxio_verify_signature === false ||
      verifyPhaxio(asRegistered(request, settings.phaxio_status_callback_url ?? null), tokenOf(settings)),
    translate: (request) => translate(request, 'sent'),
  },
  {
    path: '/phaxio-inbound',
    name: 'received fax',
    purpose: 'inbound',
    contentTypes: ['multipart/form-data'],
    takesFiles: true,
    proveHead: (head, settings) => proveHead(head, settings, settings.phaxio_inbound_verify_signature !== false),
    verify: (request, settings) =>
      settings.phaxio_inbound_verify_signature === false || verifyPhaxio(request, tokenOf(settings)),
    translate: (request) => translate(request, 'received'),
  },
]
