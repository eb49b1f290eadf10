import { type ProblemCode, problems } from '@faxdeck/contract'

/** An error that is reported to the caller. Thrown by code; turned into an answer in one place. */
export class Problem extends Error {
  override name = 'Problem'
  readonly code: ProblemCode
  readonly status: number
  readonly fields: readonly { field: string; message: string }[] | undefined
  readonly retryAfterSeconds: number | undefined

  /** @param sentence more exact than the table's, for people */
  constructor(
    code: ProblemCode,
    sentence?: string,
    extra: { fields?: readonly { field: string; message: string }[]; retryAfterSeconds?: number } = {},
  ) {
    super(sentence ?? problems[code].sentence)
    this.code = code
    this.status = problems[code].status
    this.fields = extra.fields
    this.retryAfterSeconds = extra.retryAfterSeconds
  }
}
