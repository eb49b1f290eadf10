/** A request that the gateway does not make, or an answer it does not take. */
export class FetchRefused extends Error {
  override name = 'FetchRefused'
  readonly code = 'FETCH_REFUSED'
}
