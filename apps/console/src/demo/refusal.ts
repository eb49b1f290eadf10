import { problems, type ProblemCode, type ProblemReply } from '@faxdeck/contract'

/** An answer that is not a success, as the gateway would give it. */
export class Refusal extends Error {
  override name = 'Refusal'
  readonly code: ProblemCode
  readonly fields: ProblemReply['fields']

  constructor(code: ProblemCode, sentence: string = problems[code].sentence, fields?: ProblemReply['fields']) {
    super(sentence)
    this.code = code
    this.fields = fields
  }
}
