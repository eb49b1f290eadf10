import { randomUUID } from 'node:crypto'
import { basicAuthorization } from '@faxdeck/provider-kit'
import {
  Courier,
  type CallPlan,
  type EmulatedFax,
  EmulatedLine,
  type EmulatedReply,
  type EmulatedRequest,
  type Emulate,
  isPdf,
  serveEmulator,
} from '@faxdeck/provider-kit/emulator'

const apiKey = 'eyJhbGciOiJIUzI1NiJ9.eyJzdGFuZCI6ImluIn0.c3RhbmQtaW4'
const webhookUser = 'faxdeck'
const webhookPassword = 'stand-in-password'
const ownNumber = '15550100001'
/** Calls of the history a minute, as Documo allows them. */
const historyLimit = 8
const minute = 60_000
/** Documo brings a webhook seven times more. After how long it does not say. */
const sevenPauses = [5, 10, 20, 30, 60, 120, 240]

const endings: Readonly<
  Record<NonNullable<EmulatedFax['ending']>, readonly [status: string, code: string, info: string]>
> = {
  delivered: ['success', '0', 'OK'],
  unknown_word: ['success', '0', 'OK'],
  received: ['success', '0', 'OK'],
  busy: ['failed', '6100', 'Number busy'],
  no_answer: ['failed', '6000', 'Connect failed'],
  partial: ['failed', '7001', 'Transmission not completed'],
  bad_document: ['failed', '5200', 'Rendering problem'],
  cancelled: ['cancelled', '', ''],
}

/** A fax as the API answers it. */
function faxObject(fax: EmulatedFax) {
  const { state, ending } = fax
  const under = { queued: 'processing', in_progress: 'transmitting', unknown_word: 'warming up', ended: '' }[state]
  const [status, resultCode, resultInfo] = ending === null ? [under, null, null] : endings[ending]
  const isReceived = fax.direction === 'received'
  return {
    messageId: fax.id,
    status,
    direction: isReceived ? 'inbound' : 'outbound',
    faxNumber: fax.to,
    faxCallerId: fax.from,
    faxCsid: ownNumber,
    subject: fax.labels.subject ?? '',
    pagesCount: fax.pages,
    pagesComplete: fax.pagesConfirmed,
    resultCode,
    resultInfo,
    isArchived: false,
    isFilePurged: false,
    accountId: '55555555-5555-4555-8555-555555555555',
    channelType: 'api',
    country: 'US',
    createdAt: fax.takenAt.toISOString(),
    resolvedDate: fax.endedAt?.toISOString() ?? null,
  }
}

const refusal = (status: number, message: string, headers?: Record<string, string>): EmulatedReply => ({
  status,
  body: { error: { name: 'Error', message } },
  ...(headers ? { headers } : {}),
})

interface Stage {
  line: EmulatedLine
  loses: 'cut' | 'silence'
  now: () => Date
  /** When the history was asked for. */
  asked: number[]
}

function create(request: EmulatedRequest, { line, loses }: Stage): EmulatedReply {
  if (!/^multipart\/form-data\b/.test(request.headers['content-type'] ?? '')) {
    return refusal(400, 'The body must be multipart/form-data')
  }
  const { fields, files } = request.form()
  const form = new Map(fields)
  const to = form.get('faxNumber') ?? ''
  const document = files.find(({ name }) => name === 'attachments')
  if (!/^\+?\d{8,15}$/.test(to)) return refusal(400, 'faxNumber must be a fax number')
  if (!document || !isPdf(document.bytes)) return refusal(400, 'attachments must hold a document')
  const plan: CallPlan = line.plan(to)
  // A list of recipients may be refused as a whole under a 200.
  const errors = [{ input: { faxNumber: to }, error: 'NotAllowedError: the number cannot be faxed' }]
  if (plan.answer === 'bad_number') return { status: 200, body: { success: [], errors } }
  if (plan.answer === 'rate_limited') return refusal(429, 'Too many requests', { 'retry-after': '1' })
  if (plan.answer === 'server_error') return refusal(500, 'Internal error')
  if (plan.answer === 'silence') return 'silence'
  const labels = { subject: form.get('subject') ?? '' }
  const from = form.get('callerId') ?? ownNumber
  const fax = line.take({ id: randomUUID(), from, to, document: document.bytes, callbackUrl: null, labels }, plan)
  return plan.answer === 'lost' ? loses : { status: 200, body: faxObject(fax) }
}

/** The newest faxes first, a hundred a page. */
function history({ query }: EmulatedRequest, { line, asked, ...stage }: Stage): EmulatedReply {
  const now = stage.now().getTime()
  while (asked[0] !== undefined && asked[0] <= now - minute) asked.shift()
  if (asked.length >= historyLimit) return refusal(429, 'Too many requests', { 'retry-after': '60' })
  asked.push(now)
  const rows = line.listed().map(faxObject).reverse()
  const from = Number(query.get('offset') ?? 0)
  return { status: 200, body: { count: rows.length, rows: rows.slice(from, from + 100) } }
}

function answer(request: EmulatedRequest, stage: Stage): EmulatedReply {
  const { path, headers, method } = request
  if (path === '/ping') return { status: 200, bytes: Buffer.from('OK') }
  if (headers.authorization !== `Basic ${apiKey}`) return refusal(401, 'Unauthorized')
  if (path === '/v1/me')
    return { status: 200, body: { uuid: '66666666-6666-4666-8666-666666666666', email: 'a@example.test' } }
  if (path === '/v1/faxes' && method === 'POST') return create(request, stage)
  if (path === '/v1/fax/history') return history(request, stage)
  const [, id = '', what = ''] = /^\/v1\/fax\/([0-9a-f-]+)\/(info|download)$/.exec(path) ?? []
  const fax = stage.line.find(id)
  if (!fax) return refusal(404, 'Not found')
  if (what === 'info') return { status: 200, body: faxObject(fax) }
  return { status: 200, bytes: fax.pdf, headers: { 'content-type': 'application/pdf' } }
}

/** An emulator of Documo's API: faxes, their history, and webhooks under basic authentication. */
export const emulate: Emulate = ({ gatewayUrl, loses = 'cut', minuteMs, ...options }) => {
  const courier = new Courier({ pauses: sevenPauses, minuteMs })
  const deliver = (fax: EmulatedFax) => {
    const kind = fax.direction === 'received' ? 'inbound' : 'outbound'
    const body = JSON.stringify({ event: `fax.v1.${kind}.complete`, data: faxObject(fax) })
    const headers = {
      'content-type': 'application/json',
      authorization: basicAuthorization(webhookUser, webhookPassword),
    }
    return courier.post(`${gatewayUrl}/documo-callback`, () => ({ headers, body }))
  }
  const line = new EmulatedLine({ ...options, report: (fax) => void (fax.state === 'ended' && deliver(fax)) })
  const stage: Stage = { line, loses, now: options.now ?? (() => new Date()), asked: [] }
  const handle = (request: EmulatedRequest) => answer(request, stage)
  const env = (origin: string) => ({
    DOCUMO_API_KEY: apiKey,
    DOCUMO_BASE_URL: origin,
    DOCUMO_WEBHOOK_USER: webhookUser,
    DOCUMO_WEBHOOK_PASSWORD: webhookPassword,
  })
  return serveEmulator(options, { handle, line, courier, nextId: randomUUID, deliver, env })
}
