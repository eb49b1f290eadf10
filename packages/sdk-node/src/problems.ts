/** Anything that went wrong. `message` is a sentence, the gateway's own where it gave one. */
export class FaxdeckError extends Error {
  override name = 'FaxdeckError'
}

/** What an error of the gateway says. */
interface Answer {
  detail?: string
  code?: string
  request_id?: string
  fields?: { field: string; message: string }[]
}

/** The gateway refused or failed. */
export class GatewayError extends FaxdeckError {
  override name = 'GatewayError'
  /** HTTP status. */
  readonly status: number
  /** The gateway's word for it, for example `bad_number` or `rate_limited`. */
  readonly code: string
  /** Names the request in the gateway's log. */
  readonly requestId: string | undefined
  readonly retryAfterSeconds: number | undefined
  /** What is wrong with each field; of a broadcast, with each row: `recipients.17`. Empty where the message says it all. */
  readonly fields: readonly { field: string; message: string }[]

  constructor(status: number, answer: Answer, retryAfter?: number) {
    super(answer.detail ?? `The gateway answered ${status}.`)
    this.status = status
    this.code = answer.code ?? 'unknown'
    this.requestId = answer.request_id
    this.retryAfterSeconds = retryAfter
    this.fields = answer.fields ?? []
  }
}

/** No key, a wrong one, or one without the scope that the call needs. */
export class AccessError extends GatewayError {
  override name = 'AccessError'
}

/** The number or the document cannot be faxed as it is. Sending the same again will not help. */
export class RefusedError extends GatewayError {
  override name = 'RefusedError'
}

/** The gateway could not be reached, or did not answer in time. */
export class ConnectionError extends FaxdeckError {
  override name = 'ConnectionError'
}

/** The fax was still under way when the time given was up. */
export class StillUnderWayError extends FaxdeckError {
  override name = 'StillUnderWayError'
}

const access = [401, 403]
const refused = [400, 409, 413, 415, 422]

/** The error of an answer that is no success. */
export async function errorOf(response: Response): Promise<GatewayError> {
  const text = await response.text().catch(() => '')
  let answer: Answer = {}
  try {
    const read: unknown = JSON.parse(text)
    if (typeof read === 'object' && read !== null) answer = read
  } catch {
    // A proxy in between answers in words of its own: the status says enough.
  }
  const after = Number(response.headers.get('retry-after') ?? Number.NaN)
  const Kind = access.includes(response.status)
    ? AccessError
    : refused.includes(response.status)
      ? RefusedError
      : GatewayError
  return new Kind(response.status, answer, Number.isFinite(after) ? after : undefined)
}
