import {
  printable,
  ProviderProblem,
  type ProviderSettings,
  type StatusUpdate,
  verifySecret,
  type Webhook,
  type WebhookHead,
  type WebhookRequest,
} from '@faxdeck/provider-kit'
import { answeredEnd, countOf } from './call-result.ts'
import { attemptOf, uuidOf } from './originate.ts'

const successes: ReadonlySet<string> = new Set(['1', 'TRUE', 'SUCCESS', 'OK'])
const failures = /^(0|FALSE|ERROR|.*FAIL.*)$/

function verify(head: WebhookHead, { asterisk_inbound_secret: secret }: ProviderSettings): boolean {
  return verifySecret(head, 'X-Internal-Secret', typeof secret === 'string' ? secret : null)
}

/** A dialplan or a hang-up hook may report how a call ended, beside the event socket. */
export const freeswitchWebhooks: readonly Webhook[] = [
  {
    path: '/_internal/freeswitch/outbound_result',
    name: 'result hook',
    purpose: 'status',
    internal: true,
    proveHead: (head, settings) => (verify(head, settings) ? 'proved' : 'none'),
    verify,
    translate: (request) => ({ updates: [readResult(request)] }),
  },
]

/**
 * Reads what the hook posts, as JSON or as a form: uuid or job_id, fax_success (1 or 0) or fax_status, and what it knows more.
 * A word that is not known is "in progress", never a success.
 */
function readResult(request: WebhookRequest): StatusUpdate {
  const reported = request.fields.length > 0 ? Object.fromEntries(request.fields) : parsedObject(request.body)
  const word = (name: string) => {
    const value = reported[name]
    return ['string', 'number', 'boolean'].includes(typeof value) ? String(value).trim() : ''
  }
  const attempt = attemptOf(word('uuid')) ?? /^[0-9a-f]{32}$/.exec(word('job_id'))?.[0]
  if (attempt === undefined) throw new ProviderProblem('rejected', 'The result of a fax names neither uuid nor job_id.')
  const uuid = uuidOf(attempt)
  const status = (word('fax_success') || word('fax_status')).toUpperCase()
  const text = word('fax_result_text')
  const success = successes.has(status)
  if (!success && !failures.test(status)) {
    return { attemptId: attempt, providerId: uuid, state: 'in_progress', word: printable(status) || 'unknown' }
  }
  const pages = countOf(word('fax_document_transferred_pages'))
  const resolution = word('fax_image_resolution') || undefined
  const station = 'fax_remote_station_id' in reported ? word('fax_remote_station_id') : undefined
  const end = answeredEnd({ uuid, success, pages, resolution, station, text })
  if (!end) throw new ProviderProblem('rejected', 'The result of a fax names no call.')
  // A hook of an older Faxdeck does not say how far the call came: the event socket does.
  if (end.kind === 'partial' && pages === 0 && resolution === undefined && text !== '') {
    return { attemptId: attempt, providerId: uuid, state: 'in_progress', word: printable(status) }
  }
  return end
}

function parsedObject(body: Uint8Array): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(Buffer.from(body).toString('utf8'))
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
