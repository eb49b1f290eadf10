import { problems, type ProblemCode } from '@faxdeck/contract'

/** An answer that is not a success, as the gateway would give it. */
export class Refusal extends Error {
  override name = 'Refusal'
  readonly code: ProblemCode

  constructor(code: ProblemCode, sentence: string = problems[code].sentence) {
    super(sentence)
    this.code = code
  }
}
