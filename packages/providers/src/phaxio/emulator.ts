import { basicAuthorization } from '@faxdeck/provider-kit'
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
import { callbackOf, describeFax } from './emulated-fax.ts'

/** The account of the emulator. */
const emulatedAccount = {
  key: 'emulated-key',
  secret: 'emulated-secret',
  callbackToken: 'emulated-callback-token',
}

const said = (status: number, message: string, rest: object = {}): EmulatedReply => ({
  status,
  body: { success: status < 300, message, ...rest },
})
const refused = (message: string) => said(422, message)

class Phaxio {
  readonly courier: Courier
  readonly line: EmulatedLine
  readonly #gatewayUrl: string
  readonly #loses: 'cut' | 'silence'
  readonly #isTest: boolean
  // No id is given twice, also not after the emulator was started again.
  #lastId = Date.now()

  constructor({ gatewayUrl, loses = 'cut', minuteMs, isTestAccount = false, ...options }: EmulatorOptions) {
    this.courier = new Courier({ pauses: sixteenPauses, minuteMs })
    this.#isTest = isTestAccount
    this.#gatewayUrl = gatewayUrl
    this.#loses = loses
    this.line = new EmulatedLine({ ...options, report: (fax) => void this.#report(fax, fax.callbackUrl) })
  }

  handle = (request: EmulatedRequest): EmulatedReply => {
    const path = request.path.replace(/^\/v2(\.1)?\//, '')
    if (path === 'public/countries') return said(200, 'Data', { data: [{ name: 'United States', alpha2: 'US' }] })
    const { key, secret } = emulatedAccount
    if (request.headers.authorization !== basicAuthorization(key, secret))
      return said(401, 'Invalid API key or secret.')
    if (path === 'account/status') {
      const counts = { sent: this.line.faxes.length, received: 0 }
      return said(200, 'Account status retrieved', {
        data: { balance: 5050, faxes_today: counts, faxes_this_month: counts },
      })
    }
    if (path === 'faxes') return request.method === 'POST' ? this.#send(request) : this.#list(request)
    const [, id = '', act] = /^faxes\/(\d+)(?:\/(file|cancel))?$/.exec(path) ?? []
    const fax = this.line.find(id)
    if (!fax) return said(404, 'Fax not found.')
    if (act === 'file') return { status: 200, bytes: fax.pdf, headers: { 'content-type': 'application/pdf' } }
    if (act !== 'cancel') return said(200, 'Metadata for fax', { data: describeFax(fax, this.#isTest) })
    // Phaxio cancels afterwards, and says so.
    setImmediate(() => this.line.cancel(id))
    return said(200, 'Fax cancellation scheduled successfully.', { data: { id: Number(id) } })
  }

  deliver = (fax: EmulatedFax): Promise<void> => this.#report(fax, `${this.#gatewayUrl}/phaxio-inbound`)

  nextId = (): string => String((this.#lastId += 1))

  async #report(fax: EmulatedFax, url: string | null): Promise<void> {
    if (url !== null)
      await this.courier.post(url, () => callbackOf(fax, url, emulatedAccount.callbackToken, this.#isTest))
  }

  #send(request: EmulatedRequest): EmulatedReply {
    const { fields, files } = request.form()
    const field = (name: string) => fields.find(([each]) => each === name)?.[1]
    const to = field('to') ?? field('to[]') ?? ''
    if (!/^\+[1-9]\d{6,14}$/.test(to)) return refused('Phone number is not formatted correctly or invalid.')
    const link = field('content_url')
    const [file] = files
    if (link === undefined && !file) return refused('You must supply a file or a content URL.')
    if (file && !isPdf(file.bytes)) return refused('The file type is not supported.')
    const plan = this.line.plan(to)
    if (plan.answer === 'bad_number') return refused('Phone number is not in service.')
    if (plan.answer === 'rate_limited')
      return { status: 429, headers: { 'retry-after': '1' }, body: { success: false, message: 'Too many requests.' } }
    if (plan.answer === 'server_error') return said(500, 'Something went wrong.')
    if (plan.answer === 'silence') return 'silence'
    const labels = fields.flatMap(([name, value]) => [[/^tag\[(.+)\]$/.exec(name)?.[1], value] as const])
    const fax = this.line.take(
      {
        id: this.nextId(),
        from: field('caller_id') ?? '+15555550000',
        to,
        document: file ? file.bytes : { link: link ?? '' },
        callbackUrl: field('callback_url') ?? null,
        labels: Object.fromEntries(labels.filter(([name]) => name !== undefined)) as Record<string, string>,
      },
      plan,
    )
    return plan.answer === 'lost' ? this.#loses : said(200, 'Fax queued for sending', { data: { id: Number(fax.id) } })
  }

  #list({ query }: EmulatedRequest): EmulatedReply {
    const tags = [...query].flatMap(([name, value]) => [[/^tag\[(.+)\]$/.exec(name)?.[1] ?? '', value] as const])
    const after = Date.parse(query.get('created_after') ?? '') || 0
    const faxes = this.line
      .listed()
      .filter(
        (fax) =>
          fax.direction === (query.get('direction') ?? fax.direction) &&
          fax.takenAt.getTime() >= after &&
          tags.every(([name, value]) => name === '' || fax.labels[name] === value),
      )
    const perPage = Number(query.get('per_page') ?? 25)
    const page = Number(query.get('page') ?? 1)
    const data = faxes.slice((page - 1) * perPage, page * perPage).map((fax) => describeFax(fax, this.#isTest))
    return said(200, 'Faxes', { data, paging: { total: faxes.length, per_page: perPage, page } })
  }
}

/** Starts an emulator of the Phaxio API 2.1 on this machine. */
export function emulate(options: EmulatorOptions): Promise<CloudEmulator> {
  const { handle, line, courier, nextId, deliver } = new Phaxio(options)
  const env = (origin: string) => ({
    PHAXIO_API_KEY: emulatedAccount.key,
    PHAXIO_API_SECRET: emulatedAccount.secret,
    PHAXIO_CALLBACK_TOKEN: emulatedAccount.callbackToken,
    PHAXIO_BASE_URL: `${origin}/v2.1`,
  })
  return serveEmulator(options, { handle, line, courier, nextId, deliver, env })
}
