const words: Readonly<Record<string, string>> = {
  ENOTFOUND: 'there is no such host name',
  EAI_AGAIN: 'the host name could not be looked up',
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection was cut',
  EHOSTUNREACH: 'there is no way to that address',
  ENETUNREACH: 'there is no way to that network',
  ETIMEDOUT: 'no answer came in time',
  EPIPE: 'the connection was cut',
  UND_ERR_CONNECT_TIMEOUT: 'no answer came in time',
  UND_ERR_HEADERS_TIMEOUT: 'no answer came in time',
  UND_ERR_SOCKET: 'the connection was cut',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is not trusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is not trusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate is not trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is not trusted',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
  FETCH_REFUSED: 'the gateway does not connect to the address behind that name',
}

/** Header values are Latin-1 without control characters (RFC 9110, 5.5); anything else cannot be a credential. */
export const fitsHeader = /^[\x20-\x7e\x80-\xff]*$/

function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  if ('code' in error && typeof error.code === 'string' && error.code in words) return error.code
  return codeOf(error.cause)
}

/**
 * Why nobody could be asked, as part of a sentence: "nothing listens there". Told by the error's code alone,
 * because messages may repeat what was sent, credentials included.
 */
export function reasonOf(error: unknown, signal: AbortSignal): string {
  if (signal.aborted) return 'no answer came in time'
  return words[codeOf(error) ?? ''] ?? 'the connection failed'
}

/** Codes that only a connection can end with that never came about. */
const beforeConnected =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT|FETCH_REFUSED|CERT_\w+|ERR_TLS_CERT_\w+|DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_\w+)$/

/**
 * Whether an error of `fetch` proves that the request never left: no address, no connection, or no trust in whom it led to.
 * An error of an answer's body never does.
 */
export function neverLeft(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if (error instanceof AggregateError && error.errors.length > 0) return error.errors.every(neverLeft)
  if ('syscall' in error && error.syscall === 'connect') return true
  if ('code' in error && typeof error.code === 'string' && beforeConnected.test(error.code)) return true
  return neverLeft(error.cause)
}
