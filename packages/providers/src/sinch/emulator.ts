import {
  type CloudEmulator,
  Courier,
  type EmulatedFax,
  EmulatedLine,
  type EmulatedReply,
  type EmulatedRequest,
  type EmulatorOptions,
  isPdf,
  serveEmulator,
  sixteenPauses,
} from '@faxdeck/provider-kit/emulator'
import { EmulatedAccess, emulatedProject } from './emulated-access.ts'
import { describeFax, notificationOf } from './emulated-fax.ts'

/** An emulator of Sinch. */
interface SinchEmulator extends CloudEmulator {
  /** The fax service of the project, with the webhook that was registered. */
  service: Record<string, unknown>
  revokeTokens: () => void
}

const json = (status: number, body: unknown): EmulatedReply => ({ status, body })
const notFound = json(404, { code: '404', error: 'Not found', message: 'The requested resource was not found.' })
const invalid = (field: string, description: string) =>
  json(422, {
    code: '422',
    error: 'Invalid parameters',
    message: 'One or more parameters are not valid.',
    details: { fieldViolations: [{ field, description }] },
  })

class Sinch {
  readonly courier: Courier
  readonly access = new EmulatedAccess()
  readonly line: EmulatedLine
  readonly service: Record<string, unknown>
  readonly #loses: 'cut' | 'silence'
  // No id is given twice, also not after the emulator was started again.
  #count = Date.now()

  constructor({ gatewayUrl, loses = 'cut', minuteMs, ...options }: EmulatorOptions) {
    // Only a plain 200 counts for Sinch.
    this.courier = new Courier({ pauses: sixteenPauses, minuteMs, accepts: (status) => status === 200 })
    this.#loses = loses
    this.line = new EmulatedLine({
      ...options,
      report: (fax) => {
        // Sinch reports the end of a fax and nothing before it.
        if (fax.state === 'ended') void this.#report(fax, fax.callbackUrl, fax.labels.contentType)
      },
    })
    const proof = `sinch:${emulatedProject.webhookPassword}@`
    this.service = {
      id: '01EMULATEDSERVICE000000001',
      name: 'Emulated service',
      defaultForProject: true,
      incomingWebhookUrl: `${gatewayUrl.replace('://', `://${proof}`)}/sinch-inbound`,
      webhookContentType: 'application/json',
    }
  }

  handle = (request: EmulatedRequest): EmulatedReply => {
    const { path, method } = request
    if (path === '/oauth2/token') return this.access.grant(request)
    if (!this.access.admits(request)) return { status: 401 }
    const [, project, rest = ''] = /^\/v3\/projects\/([^/]+)\/(.*)$/.exec(path) ?? []
    if (project !== emulatedProject.id) return notFound
    if (rest === 'services') return json(200, { services: [this.service], pageNumber: 1, totalPages: 1, totalItems: 1 })
    if (rest === `services/${String(this.service.id)}` && method === 'PATCH') {
      return json(200, Object.assign(this.service, JSON.parse(request.body.toString())))
    }
    if (rest === 'faxes') return method === 'POST' ? this.#send(request) : this.#list(request)
    const [, id = '', file] = /^faxes\/([\w-]+)(\/file\.pdf)?$/.exec(rest) ?? []
    const fax = this.line.find(id)
    if (!fax) return notFound
    if (!file) return json(200, describeFax(fax, emulatedProject.id))
    return { status: 200, bytes: fax.pdf, headers: { 'content-type': 'application/pdf' } }
  }

  deliver = (fax: EmulatedFax): Promise<void> => {
    const { incomingWebhookUrl, webhookContentType } = this.service
    return this.#report(fax, String(incomingWebhookUrl), String(webhookContentType))
  }

  nextId = (): string => `01JEMULATED${String((this.#count += 1)).padStart(15, '0')}`

  async #report(fax: EmulatedFax, url: string | null, contentType = 'multipart/form-data'): Promise<void> {
    if (url !== null) await this.courier.post(url, () => notificationOf(fax, contentType, emulatedProject.id))
  }

  #send(request: EmulatedRequest): EmulatedReply {
    const { fields, files } = request.form()
    const field = (name: string) => fields.find(([each]) => each === name)?.[1]
    const to = field('to') ?? ''
    if (!/^\+[1-9]\d{6,14}$/.test(to)) return invalid('to', 'must be a phone number in E.164 format')
    const link = field('contentUrl')
    const [file] = files
    if (link === undefined && !file) return invalid('file', 'a file or a contentUrl is required')
    if (file && !isPdf(file.bytes)) return invalid('file', 'the file type is not supported')
    const plan = this.line.plan(to)
    if (plan.answer === 'bad_number') return invalid('to', 'the number is not in service')
    if (plan.answer === 'rate_limited') return { status: 429, headers: { 'retry-after': '1' } }
    if (plan.answer === 'server_error')
      return json(500, { code: '500', error: 'Internal error', message: 'Try again.' })
    if (plan.answer === 'silence') return 'silence'
    const fax = this.line.take(
      {
        id: this.nextId(),
        from: field('from') ?? '+15555550000',
        to,
        document: file ? file.bytes : { link: link ?? '' },
        callbackUrl: field('callbackUrl') ?? null,
        labels: {
          contentType: field('callbackUrlContentType') ?? 'multipart/form-data',
          maxRetries: field('maxRetries') ?? '3',
          ...(field('labels[attempt]') ? { attempt: field('labels[attempt]') } : {}),
        },
      },
      plan,
    )
    return plan.answer === 'lost' ? this.#loses : json(200, describeFax(fax, emulatedProject.id))
  }

  #list({ query }: EmulatedRequest): EmulatedReply {
    const direction = { OUTBOUND: 'sent', INBOUND: 'received' }[query.get('direction') ?? '']
    const after = Date.parse(query.get('createTime>') ?? '') || 0
    const faxes = this.line
      .listed()
      .filter(
        (fax) =>
          (direction === undefined || fax.direction === direction) &&
          fax.takenAt.getTime() >= after &&
          fax.to.startsWith(query.get('to') ?? ''),
      )
    const size = Number(query.get('pageSize') ?? 100)
    const page = Number(query.get('page') ?? 1)
    const some = faxes.slice((page - 1) * size, page * size)
    return json(200, {
      faxes: some.map((fax) => describeFax(fax, emulatedProject.id)),
      pageNumber: page,
      pageSize: size,
      totalItems: faxes.length,
      totalPages: Math.ceil(faxes.length / size),
    })
  }
}

/** Starts an emulator of the Sinch Fax API 3 on this machine. */
export async function emulate(options: EmulatorOptions): Promise<SinchEmulator> {
  const { handle, line, courier, nextId, deliver, service, access } = new Sinch(options)
  const env = (origin: string) => ({
    SINCH_PROJECT_ID: emulatedProject.id,
    SINCH_API_KEY: emulatedProject.keyId,
    SINCH_API_SECRET: emulatedProject.keySecret,
    SINCH_AUTH_METHOD: 'oauth',
    SINCH_BASE_URL: `${origin}/v3`,
    SINCH_AUTH_BASE_URL: `${origin}/oauth2/token`,
    SINCH_INBOUND_BASIC_PASS: emulatedProject.webhookPassword,
  })
  const emulator = await serveEmulator(options, { handle, line, courier, nextId, deliver, env })
  return { ...emulator, service, revokeTokens: access.revoke }
}
