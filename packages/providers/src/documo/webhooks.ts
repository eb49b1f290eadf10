import {
  type Fields,
  ProviderProblem,
  type ProviderSettings,
  readFields,
  verifyBasic,
  type Webhook,
  type WebhookHead,
  type WebhookOutcome,
  type WebhookRequest,
} from '@faxdeck/provider-kit'
import { accountOf } from './account.ts'
import { type FaxObject, readFax, updateOf } from './fax.ts'
import { incomingOf } from './received.ts'

/** The JSON of a webhook: the body itself, or the field `data` of the older webhooks' forms. */
function readJson({ body, fields }: WebhookRequest): unknown {
  const text = fields.find(([field]) => field === 'data')?.[1] ?? Buffer.from(body).toString('utf8')
  try {
    return JSON.parse(text)
  } catch {
    throw new ProviderProblem('rejected', 'The webhook holds no JSON.')
  }
}

/** Where the fax stands in the JSON is not documented: at the top, or one or two levels below. */
function findFax(value: unknown, depth = 2): { fax: FaxObject; around: Fields } | undefined {
  const around = readFields(value)
  if (!around) return undefined
  const fax = readFax(value)
  if (fax) return { fax, around }
  if (depth === 0) return undefined
  for (const inner of around.values()) {
    const found = findFax(inner, depth - 1)
    if (found) return found
  }
  return undefined
}

/** `fax.v1.outbound.complete` or `fax.inbound`, whatever the member is called. */
function eventOf(json: unknown): string {
  const values = readFields(json)?.values() ?? []
  return values.find((value): value is string => typeof value === 'string' && /^fax\.[a-z0-9.]+$/.test(value)) ?? ''
}

const ends: Readonly<Record<string, string>> = { succeed: 'success', failed: 'failed' }
const documentStart = /^(%PDF-|II\*\0|MM\0\*)/

/** A document that came along: as a file, or as base64 beside the fax. */
function documentIn({ files }: WebhookRequest, around: Fields): Uint8Array | undefined {
  const file = files.find(({ bytes }) => bytes.length > 0)
  if (file) return file.bytes
  for (const value of around.values()) {
    if (typeof value !== 'string' || !/^[A-Za-z0-9+/]{8,}/.test(value)) continue
    const start = Buffer.from(value.slice(0, 16), 'base64').toString('latin1')
    if (documentStart.test(start)) return Buffer.from(value, 'base64')
  }
  return undefined
}

/** What is kept as evidence: the words, not the document. */
function notificationOf(json: unknown): string {
  return JSON.stringify(json, (_key, value: unknown) =>
    typeof value === 'string' && value.length > 1000 ? `${value.length} characters` : value,
  )
}

/** Reads a webhook of Documo, new or legacy: the outcome of a fax that was sent, or a received fax. */
function translate(request: WebhookRequest, settings: ProviderSettings): WebhookOutcome {
  const json = readJson(request)
  const event = eventOf(json)
  const found = findFax(json)
  if (!found) {
    if (event.includes('.number.')) return {}
    throw new ProviderProblem('rejected', 'The webhook names no fax.')
  }
  const { around } = found
  const fax = { ...found.fax, status: found.fax.status || (ends[event.split('.').at(-1) ?? ''] ?? '') }
  const direction = /\.(inbound|outbound)\b/.exec(event)?.[1] ?? fax.direction
  if (direction === 'outbound') return { updates: [updateOf(fax, accountOf(settings))] }
  if (direction !== 'inbound') {
    throw new ProviderProblem('rejected', 'The webhook does not say whether the fax went out or came in.')
  }
  const notification = notificationOf(json)
  return { incoming: incomingOf(fax, documentIn(request, around)).map((incoming) => ({ ...incoming, notification })) }
}

const textOf = (value: ProviderSettings[string] | undefined) => (typeof value === 'string' ? value : null)

const verify = (head: WebhookHead, settings: ProviderSettings): boolean =>
  verifyBasic(head, textOf(settings.documo_webhook_user), textOf(settings.documo_webhook_password))

/** Documo reports everything at one address, under the user and the password that were set for the webhook. */
export const documoWebhooks: readonly Webhook[] = [
  {
    path: '/documo-callback',
    name: 'webhook',
    purpose: 'both',
    takesFiles: true,
    proveHead: (head, settings) => (verify(head, settings) ? 'proved' : 'none'),
    verify,
    translate,
  },
]
