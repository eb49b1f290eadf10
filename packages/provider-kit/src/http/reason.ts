/** Why nobody could be asked, by what a person would have to look at. */
export type Unreachable =
  | 'unknown_host'
  | 'lookup_failed'
  | 'refused'
  | 'no_route'
  | 'no_connection'
  | 'silent'
  | 'cut'
  | 'cert_date'
  | 'cert_untrusted'
  | 'cert_name'
  | 'tls'
  | 'blocked'
  | 'other'

type Reason = readonly [why: Unreachable, words: string]

const untrusted: Reason = ['cert_untrusted', 'its certificate is not trusted']
const late: Reason = ['silent', 'no answer came in time']
const cut: Reason = ['cut', 'the connection was cut']

const reasons: Readonly<Record<string, Reason>> = {
  ENOTFOUND: ['unknown_host', 'the host name does not exist'],
  EAI_AGAIN: ['lookup_failed', 'the host name could not be looked up'],
  ECONNREFUSED: ['refused', 'nothing listens there'],
  ECONNRESET: cut,
  EHOSTUNREACH: ['no_route', 'there is no route to that address'],
  ENETUNREACH: ['no_route', 'there is no route to that network'],
  ETIMEDOUT: ['no_connection', 'no answer came in time'],
  EPIPE: cut,
  UND_ERR_CONNECT_TIMEOUT: ['no_connection', 'no connection was made in time'],
  UND_ERR_HEADERS_TIMEOUT: late,
  UND_ERR_SOCKET: cut,
  CERT_HAS_EXPIRED: ['cert_date', 'its certificate has expired'],
  CERT_NOT_YET_VALID: ['cert_date', 'its certificate is not valid yet'],
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_GET_ISSUER_CERT: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  ERR_TLS_CERT_ALTNAME_INVALID: ['cert_name', 'its certificate is for another name'],
  EPROTO: ['tls', 'it does not speak TLS'],
  FETCH_REFUSED: ['blocked', 'the gateway does not connect to the address behind that name'],
  ANSWER_TOO_LARGE: ['other', 'the answer is larger than 50 MB'],
}

/** Header values are Latin-1 without control characters (RFC 9110, 5.5); anything else cannot be a credential. */
export const fitsHeader = /^[\x20-\x7e\x80-\xff]*$/

function reasonBehind(error: unknown): Reason | undefined {
  if (!(error instanceof Error)) return undefined
  if ('code' in error && typeof error.code === 'string') {
    const known = reasons[error.code.startsWith('ERR_SSL_') ? 'EPROTO' : error.code]
    if (known) return known
  }
  return reasonBehind(error.cause)
}

/** Whether somebody's patience ended: the caller's, or that of the fetch itself. */
const isTimeout = (error: unknown): boolean =>
  error instanceof Error && (error.name === 'TimeoutError' || isTimeout(error.cause))

/** Why nobody could be asked. Judged by the error's code alone. */
export function unreachableBy(error: unknown, signal: AbortSignal): Unreachable {
  return signal.aborted || isTimeout(error) ? 'silent' : (reasonBehind(error)?.[0] ?? 'other')
}

/**
 * Why nobody could be asked, as part of a sentence: "nothing listens there". Decided by the error's code alone,
 * because messages may repeat what was sent, credentials included.
 */
export function reasonOf(error: unknown, signal: AbortSignal): string {
  if (signal.aborted || isTimeout(error)) return late[1]
  return reasonBehind(error)?.[1] ?? 'the connection failed'
}

/** Codes that only a connection can end with that never came about. */
const beforeConnected =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT|FETCH_REFUSED|CERT_\w+|ERR_TLS_CERT_\w+|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+)$/

/** What the HTTP client writes into the error of a connection that ended before it was established, also amid its TLS. */
export const neverConnected = { connected: false } as const

/**
 * Whether an error of `fetch` proves that the request never left: no address, no connection, or no trust in whom it led to.
 * An error of an answer's body never does.
 */
export function neverLeft(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if ('connected' in error && error.connected === neverConnected.connected) return true
  if (error instanceof AggregateError && error.errors.length > 0) return error.errors.every(neverLeft)
  if ('syscall' in error && error.syscall === 'connect') return true
  if ('code' in error && typeof error.code === 'string' && beforeConnected.test(error.code)) return true
  return neverLeft(error.cause)
}
