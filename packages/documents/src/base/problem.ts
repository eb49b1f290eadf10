/** Why a document, or the cover page before it, is refused. */
export type ProblemCode =
  'empty' | 'unsupported' | 'encrypted' | 'broken' | 'too_large' | 'too_many_pages' | 'too_slow' | 'busy' | 'bad_cover'

/** Thrown for every refusal; `sentence` is for people: what is wrong, why, and what to do. */
export class DocumentProblem extends Error {
  readonly code: ProblemCode
  readonly sentence: string

  constructor(code: ProblemCode, sentence: string) {
    super(sentence)
    this.name = 'DocumentProblem'
    this.code = code
    this.sentence = sentence
  }
}
