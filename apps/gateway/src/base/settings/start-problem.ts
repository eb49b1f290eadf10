/** Why the gateway cannot start: sentences for the person who starts it, all at once. */
export class StartProblem extends Error {
  override name = 'StartProblem'
  readonly sentences: readonly string[]
  constructor(...sentences: readonly string[]) {
    super(sentences.join(' '))
    this.sentences = sentences
  }
}
