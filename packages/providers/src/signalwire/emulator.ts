import { createHmac, randomUUID } from 'node:crypto'
import { basicAuthorization } from '@faxdeck/provider-kit'
import {
  type CloudEmulator,
  Courier,
  type CallPlan,
  type EmulatedFax,
  EmulatedLine,
  type EmulatedReply,
  type EmulatedRequest,
  type Emulate,
  fetchLinkedPdf,
  serveEmulator,
} from '@faxdeck/provider-kit/emulator'
import { faxObject, refusal, statusWord } from './emulated-fax.ts'

const versionPath = '/api/laml/2010-04-01'
const number = /^\+[1-9]\d{6,14}$/

/** Another number of the project, which faxes can be sent from as well. */
const secondNumber = '+15550100002'

/** The emulator's account. */
interface Project {
  sid: string
  token: string
  from: string
  signingKey: string
}

interface Stage {
  project: Project
  line: EmulatedLine
  /** Its own address, known once it listens. */
  origin: () => string
  /** What is silent about a fax it has taken, or cuts the connection. */
  loses: 'cut' | 'silence'
}

/** The header of SignalWire's signature for a form, as its documentation of webhook security describes it. */
function signed(url: string, form: URLSearchParams, { signingKey }: Project): Record<string, string> {
  const content = [...form].sort(([a], [b]) => (a < b ? -1 : 1)).flat()
  return {
    'x-signalwire-signature': createHmac('sha1', signingKey)
      .update(url + content.join(''))
      .digest('base64'),
  }
}

/** What is wrong with the fields of a new fax; undefined when nothing is. */
function faultOf(form: ReadonlyMap<string, string>, { from }: Project): EmulatedReply | undefined {
  const [to = '', media = '', quality = 'fine'] = ['To', 'MediaUrl', 'Quality'].map((field) => form.get(field))
  if (!number.test(to)) return refusal(400, 21604, "The 'To' number is missing or malformed")
  if (![from, secondNumber].includes(form.get('From') ?? ''))
    return refusal(400, 21601, "The 'From' number is not a fax capable number of the project")
  if (!URL.canParse(media)) return refusal(422, 10000, "The 'MediaUrl' is missing or malformed")
  if (!['standard', 'fine', 'superfine'].includes(quality)) return refusal(422, 10000, "The 'Quality' is invalid")
  const callback = form.get('StatusCallback')
  if (callback !== undefined && !URL.canParse(callback)) return refusal(422, 21456, 'The StatusCallback is invalid')
  return undefined
}

async function take(form: ReadonlyMap<string, string>, plan: CallPlan, { line }: Stage): Promise<EmulatedFax> {
  const link = form.get('MediaUrl') ?? ''
  const document = plan.callbacks === 'early' ? await fetchLinkedPdf(link) : { link }
  const [from = null, callbackUrl = null] = [form.get('From'), form.get('StatusCallback')]
  const quality = form.get('Quality') ?? 'fine'
  return line.take(
    { id: randomUUID(), from, to: form.get('To') ?? '', document, callbackUrl, labels: { quality } },
    plan,
  )
}

async function create(request: EmulatedRequest, stage: Stage): Promise<EmulatedReply> {
  if (!/^application\/x-www-form-urlencoded\b/.test(request.headers['content-type'] ?? '')) {
    return refusal(415, 10000, 'The body must be a URL-encoded form')
  }
  const form = new Map(request.form().fields)
  const fault = faultOf(form, stage.project)
  if (fault) return fault
  const plan = stage.line.plan(form.get('To') ?? '')
  if (plan.answer === 'bad_number') return refusal(400, 21604, "The 'To' number cannot be faxed")
  if (plan.answer === 'rate_limited')
    return refusal(429, 21611, "The queue of the 'From' number is full", { 'retry-after': '1' })
  if (plan.answer === 'server_error') return refusal(500, 10001, 'Internal error')
  if (plan.answer === 'silence') return 'silence'
  const fax = await take(form, plan, stage)
  return plan.answer === 'lost' ? stage.loses : { status: 201, body: faxObject(fax, stage.project.sid, stage.origin()) }
}

/** Zero-based pages; beyond the first a token is wanted, which the page before gives. */
function list({ query }: EmulatedRequest, { line, project, origin }: Stage): EmulatedReply {
  const [page, size] = [Number(query.get('Page') ?? 0), Number(query.get('PageSize') ?? 50)]
  if (page > 0 && query.get('PageToken') !== `PA${page}`) return refusal(400, 10000, 'PageToken is required')
  const [to, from, after] = [query.get('To'), query.get('From'), query.get('DateCreatedAfter')]
  const faxes = line
    .listed()
    .filter(
      (fax) =>
        (to === null || fax.to === to) &&
        (from === null || fax.from === from) &&
        (after === null || fax.takenAt > new Date(after)),
    )
  const next = new URLSearchParams(query)
  next.set('Page', String(page + 1))
  next.set('PageToken', `PA${page + 1}`)
  const path = `${versionPath}/Accounts/${project.sid}/Faxes`
  return {
    status: 200,
    body: {
      uri: path,
      page,
      page_size: size,
      next_page_uri: faxes.length > (page + 1) * size ? `${path}?${next.toString()}` : null,
      faxes: faxes.slice(page * size, (page + 1) * size).map((fax) => faxObject(fax, project.sid, origin())),
    },
  }
}

function one(request: EmulatedRequest, id: string, { line, project, origin }: Stage): EmulatedReply {
  const fax = line.find(id)
  if (!fax) return refusal(404, 20404, 'The fax was not found')
  if (request.method === 'POST') {
    const wanted = new Map(request.form().fields).get('Status')
    if (wanted !== 'canceled' || !line.cancel(id)) return refusal(400, 10000, 'Only a queued fax can be canceled')
  }
  if (request.method === 'DELETE') {
    return fax.state === 'ended' ? { status: 204 } : refusal(409, 20009, 'The fax is not finished')
  }
  return { status: 200, body: faxObject(fax, project.sid, origin()) }
}

/** Received documents want the token as Bearer, unlike all else. */
function media({ headers }: EmulatedRequest, id: string, { line, project }: Stage): EmulatedReply {
  if (headers.authorization !== `Bearer ${project.token}`) return { status: 401 }
  const pdf = line.find(id)?.pdf
  return pdf ? { status: 200, bytes: pdf, headers: { 'content-type': 'application/pdf' } } : { status: 404 }
}

function answer(request: EmulatedRequest, stage: Stage): EmulatedReply | Promise<EmulatedReply> {
  const { project } = stage
  const file = /^\/files\/([0-9a-f-]+)\.pdf$/.exec(request.path)?.[1]
  if (file !== undefined) return media(request, file, stage)
  if (request.headers.authorization !== basicAuthorization(project.sid, project.token)) {
    return refusal(401, 20003, 'Authentication Error - invalid username')
  }
  const account = `${versionPath}/Accounts/${project.sid}`
  const path = request.path.replace(/\.json$/, '')
  if (path === account) return { status: 200, body: { sid: project.sid, friendly_name: 'Stand-in', status: 'active' } }
  if (path === `${account}/Faxes`) return request.method === 'POST' ? create(request, stage) : list(request, stage)
  const id = path.startsWith(`${account}/Faxes/`) ? path.slice(account.length + '/Faxes/'.length) : ''
  return id === '' ? refusal(404, 20404, 'The resource was not found') : one(request, id, stage)
}

/** Reports the end of a sent fax: by default SignalWire calls back for nothing else. */
function reportEnd(fax: EmulatedFax, project: Project, courier: Courier): void {
  const { callbackUrl } = fax
  if (fax.state !== 'ended' || callbackUrl === null) return
  const object = faxObject(fax, project.sid, '')
  const form = new URLSearchParams({
    FaxSid: fax.id,
    AccountSid: project.sid,
    From: fax.from ?? '',
    To: fax.to,
    ApiVersion: 'v1',
    FaxStatus: statusWord(fax),
    NumPages: String(fax.pagesConfirmed),
    RemoteStationId: '',
    ErrorCode: '',
    ErrorMessage: object.error_message ?? '',
    Timestamp: new Date().toUTCString(),
  })
  void courier.post(callbackUrl, () => ({ headers: signed(callbackUrl, form, project), body: form }))
}

/** Asks the gateway whether it takes a call; answers where the fax is to be reported, or nothing when it is refused. */
async function offerCall(facts: Record<string, string>, url: string, project: Project, courier: Courier) {
  const form = new URLSearchParams(facts)
  const answer = await courier.post(url, () => ({ headers: signed(url, form, project), body: form }))
  return /<Receive\b[^>]*\baction="([^"]+)"/.exec(answer ?? '')?.[1]?.replaceAll('&amp;', '&')
}

/** Somebody faxes a number of the project: the call is offered, and what came in is reported to the address that was given. */
function delivering({ project, origin }: Stage, courier: Courier, gatewayUrl: string) {
  return async (fax: EmulatedFax) => {
    const { id: FaxSid, from, to: To } = fax
    const facts = { FaxSid, AccountSid: project.sid, From: from ?? '', To, ApiVersion: 'v1' }
    const action = await offerCall(facts, `${gatewayUrl}/signalwire-callback`, project, courier)
    if (action === undefined) return
    const MediaUrl = faxObject(fax, project.sid, origin()).media_url ?? ''
    const form = new URLSearchParams({ ...facts, FaxStatus: 'received', NumPages: String(fax.pages), MediaUrl })
    await courier.post(action, () => ({ headers: signed(action, form, project), body: form }))
  }
}

/** An emulator of SignalWire's compatibility API: faxes, their list, callbacks under its signature, and both steps of receiving. */
export const emulate: Emulate = async ({ gatewayUrl, loses = 'cut', minuteMs, ...options }) => {
  const project: Project = {
    sid: '11111111-1111-4111-8111-111111111111',
    token: 'PT0123456789abcdef0123456789abcdef0123456789abcdef',
    from: '+15550100001',
    signingKey: 'PSK_standin0123456789abcdef',
  }
  // Its callbacks are best effort: none is promised to come again.
  const courier = new Courier({ pauses: [], minuteMs })
  const line = new EmulatedLine({ ...options, report: (fax) => reportEnd(fax, project, courier) })
  const stage: Stage = { project, line, origin: () => emulator.origin, loses }
  const emulator: CloudEmulator = await serveEmulator(options, {
    handle: (request) => answer(request, stage),
    line,
    courier,
    nextId: randomUUID,
    deliver: delivering(stage, courier, gatewayUrl),
    env: (origin) => ({
      SIGNALWIRE_SPACE_URL: 'stand-in.signalwire.com',
      SIGNALWIRE_BASE_URL: origin,
      SIGNALWIRE_PROJECT_ID: project.sid,
      SIGNALWIRE_API_TOKEN: project.token,
      SIGNALWIRE_FAX_FROM_E164: project.from,
      SIGNALWIRE_WEBHOOK_SIGNING_KEY: project.signingKey,
    }),
  })
  return emulator
}
