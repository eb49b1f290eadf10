/** A request that the gateway does not make, or an answer it does not take. */
export class FetchRefused extends Error {
  override name = 'FetchRefused'
  readonly code: string = 'FETCH_REFUSED'
}

/** An answer that is larger than anybody may give us. */
export class AnswerTooLarge extends FetchRefused {
  override readonly code = 'ANSWER_TOO_LARGE'
}
